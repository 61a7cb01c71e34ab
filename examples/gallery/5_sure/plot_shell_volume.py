"""
Why many dimensions are strange
===============================

In 20 dimensions, almost two thirds of a ball's volume lie within 5 % of its surface. With many features most cases lie
near the edge, and neighbours are far away: one reason why distance-based learners need few features or many cases.
"""

from howsure.selection import shell_volume, shell_volumes

# %%
# The share of the volume within epsilon of the surface is 1 - (1 - epsilon) to the power of the dimension.

for dimensions in (2, 20, 100):
    print(f"{dimensions} dimensions: {shell_volume(dimensions, epsilon=0.05):.3f} within 5 % of the surface")
_ = shell_volumes([1, 2, 5, 20]).plot()
