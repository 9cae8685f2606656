"""Full-domain generalization: Incognito, and top-down specialisation."""
