"""The parts that randomized releases share: how parameters are chosen, and how published lists are read."""
