# %% [markdown]
# # Write a rule set and find out who wins it
#
# A rule set is a small file. On boards up to 3x3 nestline solves it completely: the value of every position, and how many
# plies away the end is. This notebook invents a game and solves it in a second. It needs nestline without any extra.

# %%
from pathlib import Path
from tempfile import mkdtemp

folder = Path(mkdtemp())
file = folder / "pocket.toml"
_ = file.write_text("""
like = "gobblers"
title = "Pocket gobblers"
summary = "Three small and two large pieces each. Three visible pieces in a row win."
stock = [3, 2]
players = ["Sun", "Moon"]
symbols = ["S", "M"]
""")

# %% [markdown]
# `like` names the set to start from, and the file says only what is different: three small and two large pieces for
# each player. A mistake in the file would be reported with the field and what it allows.

# %%
from nestline import Position, load_rules

rules = load_rules(str(file))
start = Position.start(rules)
start

# %%
len(start.legal_moves())

# %% [markdown]
# ## Solve it
#
# The tablebase of the solved game goes into a file of its own.

# %%
from nestline import tables

_ = tables.build(rules, folder)
table = tables.open(rules, folder)
table.probe(start)

# %% [markdown]
# So that is who wins, and in how many plies if the winner hurries and the loser delays. The five best
# first moves:

# %%
for each in table.moves(start)[:5]:
    print(each.move, each.value, each.distance)

# %% [markdown]
# ## The principal variation
#
# Both sides always play the first of the best moves.

# %%
from nestline import Game

game = Game(rules, ply_limit=40)
while not game.outcome:
    game.play(table.moves(game.position)[0].move)
print(game.explain())
game

# %% [markdown]
# ## Change a rule
#
# What if each player has one small piece less?

# %%
smaller = folder / "smaller.toml"
_ = smaller.write_text("""
like = "./pocket.toml"
title = "Smaller pocket gobblers"
stock = [2, 2]
""")
other = load_rules(str(smaller))
_ = tables.build(other, folder)
tables.open(other, folder).probe(Position.start(other))

# %% [markdown]
# Then nobody can force a win.
#
# From here: `nestline play --rules ./pocket.toml` plays it in the terminal, `nestline rules check pocket.toml` checks a
# file, and the fields of a rule set are listed in the documentation.
