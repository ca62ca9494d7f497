"""The engine for the page: the package's compiled functions as one WebAssembly module.

`exports` and its neighbours are the functions that the page may call; `build` compiles them.
"""
