# The card that answers /mcp.
