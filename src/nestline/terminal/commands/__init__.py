"""The subcommands of `nestline`, one module for each group of them."""
