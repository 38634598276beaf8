autocmd BufNewFile,BufRead *.space setfiletype cutune
