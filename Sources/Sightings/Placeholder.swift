// The module is empty until its first type lands.
