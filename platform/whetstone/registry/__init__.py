"""Models, their versions, datasets and the files behind them."""
