"""The worth of a release: info_loss, kl_divergence, cube_kl, count_query_error, and learners."""
