"""The functions that try several settings: best_k, best_l, frontier, loss_bound."""
