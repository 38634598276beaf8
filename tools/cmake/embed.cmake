# cmake -DINPUT=FILE -DOUTPUT=FILE -DNAME=IDENTIFIER -P embed.cmake: writes a text file as a C string constant.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
file(WRITE ${OUTPUT} "static const char ${NAME}[] = {${bytes}0};\n")
