// Tests follow with the first type.
