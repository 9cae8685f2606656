"""frontier, best_k and best_l: the settings of a release, measured without publishing."""
