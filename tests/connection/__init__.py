"""connect and load, cursors, threads, Ctrl-C, the cache of compiled kernels, the end of the process."""
