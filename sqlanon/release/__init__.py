"""The functions that publish: kanonymous, ldiverse, taudiverse."""
