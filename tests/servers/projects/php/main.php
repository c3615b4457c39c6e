<?php

require 'shop.php';

$tea = new Item(250);
echo discount($tea, 20), $tea->price();
