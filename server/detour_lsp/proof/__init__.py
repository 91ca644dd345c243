"""What records claim, tried out under real torch: the only code that starts programs which are not Detour's own."""
