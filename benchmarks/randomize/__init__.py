"""The experiments of Sei et al. (2017), section VI, on one page."""
