"""What a release is worth: info_loss, kl_divergence, cube_kl, count_query_error, and learners."""
