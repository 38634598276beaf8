#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../scratch.h"
#include "base/file.h"
#include "space/space.h"
#include "support.h"

static char folder[128];

static const char *const files[] = {"t.space", "k.cu", "a.h", "b.h", "sub/c.h", "sub/d.h", "unused.h", "link.h"};

static void make_folder(void)
{
    struct error error = {0};
    strcpy(folder, "/tmp/cutune-test-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    CU_ASSERT_EQUAL_FATAL(file_make_folder(path_inside(folder, "sub"), &error), 0);
    write_inside(folder, "t.space",
                 "space 2\nproblem N = 3\nproblem M = 3\nparam A = 1\nparam B = 1\nparam C = 1\nparam D = 1\n"
                 "param E = 1\nparam F = 1\nparam G = 1\nparam H = 1\nparam I = 1\nparam azAZ_9 = 1\nkernel k<E> "
                 "\"k.cu\"\nbuffer o int[1] output\n"
                 "args o\nblock G\ngrid 1\ndefine DEFINED = C + N\noption \"-x=\" F\noption \"-y=\" I\nreference r<H> "
                 "block 1 grid 1\n");
    write_inside(folder, "k.cu",
                 "\xef\xbb\xbf  #  include \"a.h\"\n#include <sub/c.h>\n#include \"gone.h\"\nint A, AB = 0xB, "
                 "x_B, azAZ_9; // N\n");
    write_inside(folder, "a.h", "#include \"sub/d.h\"\n");
    write_inside(folder, "b.h", "int b;\n");
    write_inside(folder, "sub/c.h", "int c;\n");
    write_inside(folder, "sub/d.h", "#include \"../b.h\"\n#include \"../a.h\"\n#include \"../k.cu\"\nint D;\n");
    write_inside(folder, "unused.h", "int C;\n");
}

static void remove_folder(void)
{
    for (size_t i = 0; i < COUNT(files); i++)
        unlink(path_inside(folder, files[i]));
    rmdir(path_inside(folder, "sub"));
    rmdir(folder);
}

/* Computes the hash of the sources, or "" and the error. */
static void source_hash(char hash[HASH_HEX_BYTES], struct error *error)
{
    struct space *space = NULL;
    error_clear(error);
    hash[0] = '\0';
    if (space_parse(&space, path_inside(folder, "t.space"), error) == 0)
        strcpy(hash, space->source_hash);
    space_free(space);
}

static void names_in_source(void)
{
    struct space *space = NULL;
    struct error error = {0};
    static const bool expected[] = {true, false, true, true, true, true, false, true, true, true};
    make_folder();
    CU_ASSERT_EQUAL(space_parse(&space, path_inside(folder, "t.space"), &error), 0);
    expect_text("message", error.message, "");
    /* Without the byte order mark of its file. */
    CU_ASSERT(space && strncmp(space->source, "  #", 3) == 0 && strlen(space->source) == space->source_length);
    for (size_t i = 0; space && i < COUNT(expected); i++)
        CU_ASSERT_EQUAL(space->parameters[i].in_source, expected[i]);
    if (space) {
        CU_ASSERT_PTR_NOT_NULL(strstr(space->source, "0xB"));
    }
    space_free(space);
    remove_folder();
}

/* Changes of a file that belongs to the source change the hash; others do not. */
static void fingerprint(void)
{
    static const struct {
        const char *name;
        bool changes;
    } rows[] = {{"k.cu", true},    {"a.h", true},     {"b.h", true},
                {"sub/d.h", true}, {"sub/c.h", true}, {"unused.h", false}};
    struct error error = {0}, ignored = {0};
    char before[HASH_HEX_BYTES], after[HASH_HEX_BYTES];
    make_folder();
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct text text = {0};
        source_hash(before, &error);
        CU_ASSERT_EQUAL(strlen(before), HASH_HEX_BYTES - 1);
        CU_ASSERT_EQUAL_FATAL(file_read(path_inside(folder, rows[i].name), 1000, &text, &ignored), 0);
        text_printf(&text, "// changed\n");
        write_inside(folder, rows[i].name, text_string(&text));
        source_hash(after, &error);
        CU_ASSERT_EQUAL(strcmp(before, after) != 0, rows[i].changes);
        text_free(&text);
    }
    /* A new header is included from then on. */
    write_inside(folder, "link.h", "");
    write_inside(folder, "k.cu", "#include \"link.h\"\n");
    source_hash(before, &error);
    unlink(path_inside(folder, "link.h"));
    source_hash(after, &error);
    CU_ASSERT_STRING_NOT_EQUAL(before, after);
    remove_folder();
}

static void failures(void)
{
    struct error error = {0};
    struct space *space = NULL;
    char hash[HASH_HEX_BYTES];
    make_folder();
    unlink(path_inside(folder, "k.cu"));
    source_hash(hash, &error);
    CU_ASSERT_EQUAL(error.code, ERROR_NOT_FOUND);
    CU_ASSERT_EQUAL(error.line, 14);
    CU_ASSERT_EQUAL(error.column, 13);
    expect_text("excerpt", error.excerpt, "kernel k<E> \"k.cu\"");
    expect_text("source", error.source, path_inside(folder, "t.space"));
    /* A folder instead of the source. */
    mkdir(path_inside(folder, "k.cu"), 0777);
    source_hash(hash, &error);
    CU_ASSERT_EQUAL(error.code, ERROR_IO);
    CU_ASSERT_EQUAL(error.line, 14);
    rmdir(path_inside(folder, "k.cu"));
    /* A header that includes itself repeatedly is read once; an endless header is refused. */
    write_inside(folder, "k.cu", "#include \"k.cu\"\n");
    source_hash(hash, &error);
    CU_ASSERT_EQUAL(error.code, 0);
    CU_ASSERT_EQUAL_FATAL(truncate(path_inside(folder, "k.cu"), (16 << 20) + 1), 0);
    source_hash(hash, &error);
    CU_ASSERT_EQUAL(error.code, ERROR_DATA);
    CU_ASSERT_EQUAL_FATAL(truncate(path_inside(folder, "k.cu"), 100), 0);
    source_hash(hash, &error);
    CU_ASSERT_EQUAL(error.code, ERROR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "NUL byte"));
    error_clear(&error);
    CU_ASSERT_EQUAL(space_parse(&space, path_inside(folder, "gone.space"), &error), ERROR_NOT_FOUND);
    CU_ASSERT_PTR_NULL(space);
    error_clear(&error);
    CU_ASSERT_EQUAL(space_parse(&space, folder, &error), ERROR_IO);
    remove_folder();
}

/* Replaces '%' by the folder. */
static void make_option(const char *pattern, char *option, size_t room)
{
    const char *mark = strchr(pattern, '%');
    int before = mark ? (int)(mark - pattern) : (int)strlen(pattern);
    snprintf(option, room, "%.*s%s%s", before, pattern, mark ? folder : "", mark ? mark + 1 : "");
}

/* Headers found only through options, including nested ones: occurring parameters, and files in the hash. */
static void options_lead_to_headers(void)
{
    static const char folders[] = "the include folders depend on problem sizes, limits or too many parameters";
    static const struct {
        const char *option, *source;
        bool occurs;         /* A, which only sub/c.h contains */
        const char *unknown; /* behind the folder's name; NULL: none */
    } rows[] = {
        {"", "#include <c.h>\n", false, NULL},
        {"option \"-I%/sub\"\n", "#include <c.h>\n", true, NULL},
        {"option \"-I%/sub\"\n", "#include \"a.h\"\n", true, NULL}, /* a.h includes <c.h> */
        {"option \"--include-path=%/sub\"\n", "#include \"c.h\"\n", true, NULL},
        {"option \"-I\"\noption \"%/sub\"\n", "#include <c.h>\n", true, NULL},
        {"option \"-include=%/sub/c.h\"\n", "", true, NULL},
        {"option \"-I%/\" FOLDER\n", "#include <c.h>\n", true, NULL}, /* the second value of FOLDER */
        {"option \"-I\"\noption \"%/\" FOLDER\n", "#include <c.h>\n", true, NULL},
        {"option \"-x=%/\" FOLDER\n", "#include <c.h>\n", false, NULL},
        {"option \"-I%/sub\" N\n", "#include <c.h>\n", true, folders},
        {"option \"-I%/sub\" warp\n", "#include <c.h>\n", true, folders},
        {"option \"-I%/sub\" N\noption \"-I%/\" FOLDER\n", "#include <c.h>\n", true, folders},
        {"option \"-I%/sub\" M * FOLDER2\n", "#include <c.h>\n", true, folders},
        {"option \"-I%/\" W\n", "#include <c.h>\n", false, NULL},
        {"", "\n#include NAME\n", true, "k.cu:2: a macro names the file that is included"},
        {"option \"-pch\"\n", "", true,
         "k.cu: the compiler reads or writes files of its own because of the option -pch"},
        /* All combinations of the parameters that select folders, and no others. */
        {"option \"-I%/\" P == 1 && Q == 1 ? sub : none\n", "#include <c.h>\n", true, NULL},
        {"option \"-I%/\" P == 1 && Q == 2 ? sub : none\n", "#include <c.h>\n", true, NULL},
        {"option \"-I%/\" P == 2 && Q == 1 ? sub : none\n", "#include <c.h>\n", true, NULL},
        {"option \"-I%/\" P == 2 && Q == 2 ? sub : none\n", "#include <c.h>\n", true, NULL},
        {"option \"-I%/\" P in {1, 2} && Q in {1, 2} ? none : sub\n", "#include <c.h>\n", false, NULL},
        {"option \"-I%/\" MOST == 256 ? sub : none\n", "#include <c.h>\n", true, NULL},
        {"option \"-I%/\" OVER == 257 ? sub : none\n", "#include <c.h>\n", true, folders},
        /* Other options are ignored, with or without a value. */
        {"option \"-v\"\noption \"-x=\" N\n", "#include \"sub/c.h\"\n", true, NULL},
        {"option \"-v\"\noption \"-x=\" 2 / Z\n", "#include \"sub/c.h\"\n", true, NULL},
        /* A folder without a value means no compilation. */
        {"option \"-I%/\" (2 / Z) ? sub : none\n", "#include <c.h>\n", true, NULL},
        {"option \"-I%/sub\"\noption \"-I\" 2 / ZERO\n", "#include <c.h>\n", false, NULL},
    };
    make_folder();
    write_inside(folder, "a.h", "#include <c.h>\n");
    write_inside(folder, "sub/c.h", "int A;\n");
    for (size_t i = 0; i < COUNT(rows); i++) {
        char option[256], text[1024], before[HASH_HEX_BYTES];
        struct space *space = NULL;
        struct error error = {0};
        bool unknown = rows[i].unknown != NULL;
        make_option(rows[i].option, option, sizeof option);
        snprintf(text, sizeof text,
                 "space 2\nproblem N = 3\nproblem N2 = 3\nparam P = 1, 2\nparam A = 1\nparam FOLDER = none, sub\n"
                 "param FOLDER2 = 1..200\nparam M = 1, 2\nparam W = d, e\nparam Q = 1, 2\nparam MOST = 1..256\n"
                 "param OVER = 1..257\nparam Z = 0, 2\nparam ZERO = 0\nkernel k \"k.cu\"\nbuffer o int[1] output\n"
                 "buffer i int[1] zero\nargs o\nblock 1\ngrid 1\n%sreference r block 1 grid 1\n%s",
                 option, unknown ? "constant S1 = i\nconstant S2 = i\n" : "");
        write_inside(folder, "t.space", text);
        write_inside(folder, "k.cu", rows[i].source);
        CU_ASSERT_EQUAL(space_parse(&space, path_inside(folder, "t.space"), &error), 0);
        expect_text("message", error.message, "");
        if (!space)
            continue;
        if (space->parameters[1].in_source != rows[i].occurs)
            fprintf(stderr, "\n%s%s", rows[i].option, rows[i].source);
        CU_ASSERT_EQUAL(space->parameters[1].in_source, rows[i].occurs);
        for (size_t p = 0; p < space->parameter_count && unknown; p++)
            CU_ASSERT_TRUE(space->parameters[p].in_source);
        CU_ASSERT_EQUAL(space->source_unknown != NULL, unknown);
        if (unknown && space->source_unknown)
            CU_ASSERT_PTR_NOT_NULL(strstr(space->source_unknown, rows[i].unknown));
        strcpy(before, space->source_hash);
        space_free(space);
        /* The header counts under the path where it was found. */
        write_inside(folder, "sub/c.h", "int A; // other\n");
        source_hash(text, &error);
        CU_ASSERT_EQUAL(strcmp(before, text) != 0, rows[i].occurs && !unknown);
        write_inside(folder, "sub/c.h", "int A;\n");
    }
    remove_folder();
}

/* The source is scanned once per folder but counts once. */
static void files_count_once(void)
{
    static const char *const options[] = {"option \"-I%/sub\"\n", "option \"-I%/\" FOLDER\n"};
    char hashes[COUNT(options)][HASH_HEX_BYTES];
    make_folder();
    for (size_t i = 0; i < COUNT(options); i++) {
        char option[256], text[1024];
        struct error error = {0};
        make_option(options[i], option, sizeof option);
        snprintf(text, sizeof text,
                 "space 2\nparam FOLDER = none, sub, other\nkernel k \"k.cu\"\nbuffer o int[1] output\nargs o\n"
                 "block 1\ngrid 1\n%sreference r block 1 grid 1\n",
                 option);
        write_inside(folder, "t.space", text);
        write_inside(folder, "k.cu", "#include <c.h>\n");
        source_hash(hashes[i], &error);
        expect_text("message", error.message, "");
    }
    CU_ASSERT_STRING_EQUAL(hashes[0], hashes[1]);
    remove_folder();
}

/* A constant's symbol must occur in the source as a complete identifier. */
static void constant_symbols(void)
{
    static const struct {
        const char *constants, *source, *message;
        int line;
    } rows[] = {
        {"constant COEFF = in\n", "__constant__ float COEFF[4];", "", 0},
        {"constant COEFF = in\n", "float COEFF_[4], xCOEFF, COEFG;", "'COEFF' does not occur in k.cu", 10},
        {"constant COEFF = in\n", "float COEF;", "'COEFF' does not occur in k.cu", 10},
        {"constant A1 = in\nconstant B1 = in\n", "A1 B1", "", 0},
        {"constant A1 = in\nconstant B1 = in\n", "B1", "'A1' does not occur in k.cu", 10},
        {"constant A1 = in\nconstant B1 = in\n", "A1", "'B1' does not occur in k.cu", 11},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[512];
        struct space *space = NULL;
        struct error error = {0};
        snprintf(text, sizeof text,
                 "space 2\nkernel k \"k.cu\"\nparam T = 1\nbuffer in float[4] zero\nbuffer out float[4] output\n"
                 "args out\nblock 1\ngrid 1\nreference r block 1 grid 1\n%s",
                 rows[i].constants);
        int code = space_parse_text(&space, "t.space", text, strlen(text), rows[i].source, &error);
        CU_ASSERT_EQUAL(code, rows[i].line ? ERROR_SYNTAX : 0);
        expect_text(rows[i].source, error.message, rows[i].message);
        CU_ASSERT_EQUAL(error.line, rows[i].line);
        CU_ASSERT_EQUAL(error.column, rows[i].line ? 10 : 0);
        space_free(space);
    }
}

/* The limit applies to the source with all its includes. */
static void large_sources(void)
{
    static const struct {
        size_t mebibytes;
        const char *message;
    } rows[] = {{7, ""}, {9, "the source with all that it includes is larger than 16777216 bytes"}};
    make_folder();
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error error = {0};
        size_t length = rows[i].mebibytes << 20;
        char hash[HASH_HEX_BYTES], *blanks = malloc(length);
        CU_ASSERT_PTR_NOT_NULL_FATAL(blanks);
        memset(blanks, '\n', length);
        CU_ASSERT_EQUAL(file_replace(path_inside(folder, "b.h"), blanks, length, &error), 0);
        memcpy(blanks, "#include \"b.h\"", strlen("#include \"b.h\""));
        CU_ASSERT_EQUAL(file_replace(path_inside(folder, "k.cu"), blanks, length, &error), 0);
        free(blanks);
        source_hash(hash, &error);
        expect_text("message", error.message, rows[i].message);
        CU_ASSERT_EQUAL(error.line, rows[i].message[0] ? 14 : 0);
    }
    remove_folder();
}

/* Toolkit headers have their own hash, and their identifiers do not count. */
static void toolkit_headers(void)
{
    char without[HASH_HEX_BYTES] = "", with[HASH_HEX_BYTES] = "";
    make_folder();
    for (int i = 0; i < 2; i++) {
        struct space *space = NULL;
        struct error error = {0};
        write_inside(folder, "k.cu", i ? "#include <cuda_pipeline.h>\n" : "// nclude <cuda_pipeline.h>\n");
        CU_ASSERT_EQUAL_FATAL(space_parse(&space, path_inside(folder, "t.space"), &error), 0);
        strcpy(i ? with : without, space->toolkit_hash);
        CU_ASSERT_PTR_NULL(space->source_unknown);
        space_free(space);
    }
    CU_ASSERT_STRING_EQUAL(without, "");
    CU_ASSERT_EQUAL(strlen(with), HASH_HEX_BYTES - 1);
    remove_folder();
}

/* Only the part of a file that fills a buffer counts, and the buffer that it fills. */
static void data(void)
{
    static const struct {
        const char *one, *two, *n;
        bool same;
    } rows[] = {{"abcdefgh", "12345678", NULL, true},  {"abcdefgX", "12345678", NULL, false},
                {"abcdefgh", "12345X78", NULL, false}, {"12345678", "abcdefgh", NULL, false},
                {"abcdefghX", "12345678", NULL, true}, {"abcdefgh", "12345678", "N=1", false}};
    char hash[HASH_HEX_BYTES], first[HASH_HEX_BYTES] = "";
    make_folder();
    write_inside(folder, "t.space",
                 "space 2\nproblem N = 2\nparam A = 1\nkernel k \"k.cu\"\nbuffer a int[N] file(\"a.h\")\n"
                 "buffer b int[N] file(\"b.h\")\nbuffer o int[1] output\nargs o\nblock 1\ngrid 1\n"
                 "reference r block 1 grid 1\n");
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = NULL;
        struct error error = {0};
        write_inside(folder, "a.h", rows[i].one);
        write_inside(folder, "b.h", rows[i].two);
        CU_ASSERT_EQUAL_FATAL(space_parse(&space, path_inside(folder, "t.space"), &error), 0);
        CU_ASSERT_EQUAL_FATAL(space_bind(space, &rows[i].n, rows[i].n != NULL, NULL, &error), 0);
        CU_ASSERT_EQUAL(space_data_hash(space, i ? hash : first, &error), 0);
        CU_ASSERT_EQUAL(strlen(first), HASH_HEX_BYTES - 1);
        if (i)
            CU_ASSERT_EQUAL(strcmp(hash, first) == 0, rows[i].same);
        unlink(path_inside(folder, "b.h"));
        CU_ASSERT_EQUAL(space_data_hash(space, hash, &error), ERROR_NOT_FOUND);
        space_free(space);
    }
    remove_folder();
    /* Without files the hash is empty. */
    struct space *space = NULL;
    struct error error = {0};
    make_folder();
    CU_ASSERT_EQUAL_FATAL(space_parse(&space, path_inside(folder, "t.space"), &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL(space_data_hash(space, hash, &error), 0);
    CU_ASSERT_STRING_EQUAL(hash, "");
    space_free(space);
    remove_folder();
}

/* The same for files of expected results. */
static void expected_data(void)
{
    static const struct {
        const char *file, *output;
        bool same;
    } rows[] = {{"abcdefgh", "a", true}, {"abcdefghX", "a", true}, {"abcdefgX", "a", false}, {"abcdefgh", "b", false}};
    char first[HASH_HEX_BYTES] = "", text[512];
    make_folder();
    for (size_t i = 0; i < COUNT(rows); i++) {
        char hash[HASH_HEX_BYTES];
        struct space *space = NULL;
        struct error error = {0};
        write_inside(folder, "a.h", rows[i].file);
        snprintf(
            text, sizeof text,
            "space 2\nparam A = 1\nkernel k \"k.cu\"\nbuffer a int[2] output\nbuffer b int[2] file(\"a.h\") inout\n"
            "args a, b\nblock 1\ngrid 1\nreference default\nreference %s file(\"a.h\")\n",
            rows[i].output);
        write_inside(folder, "t.space", text);
        CU_ASSERT_EQUAL_FATAL(space_parse(&space, path_inside(folder, "t.space"), &error), 0);
        CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
        CU_ASSERT_EQUAL(space_open_files(space, &error), 0);
        CU_ASSERT_EQUAL(space_data_hash(space, i ? hash : first, &error), 0);
        if (i)
            CU_ASSERT_EQUAL(strcmp(hash, first) == 0, rows[i].same);
        space_free(space);
    }
    remove_folder();
}

/* Computes the hash of a run. */
static int data_hash(struct space *space, char hash[HASH_HEX_BYTES], struct error *error)
{
    int code = space_open_files(space, error);
    return code ? code : space_data_hash(space, hash, error);
}

/* A .npy file suits its buffer, and its data begins behind the header. */
static void npy_files(void)
{
    static const struct {
        const char *type, *descr, *shape;
        size_t bytes;
        const char *message; /* behind the path */
    } rows[] = {
        {"float[6]", "<f4", "(2, 3)", 24, ""},
        {"float2[3]", "<f4", "(3, 2)", 24, ""},
        {"half[4]", "<f2", "(4,)", 8, ""},
        {"bfloat16[4]", "<u2", "(4,)", 8, ""},
        {"bool[4]", "|b1", "(4,)", 4, ""},
        {"int64_t[1]", "<i8", "()", 8, ""},
        {"uchar[3]", "|u1", "(3,)", 3, ""},
        {"float[6]", "<f8", "(6,)", 48, ": the elements are f8, those of the buffer 'a' (float) need f4"},
        {"int[6]", "<u4", "(6,)", 24, ": the elements are u4, those of the buffer 'a' (int) need i4"},
        {"bfloat16[4]", "<f2", "(4,)", 8, ": the elements are f2, those of the buffer 'a' (bfloat16) need u2"},
        {"float[6]", "<f4", "(5,)", 20, " has 5 numbers, the buffer 'a' 6"},
        {"float[6]", "<f4", "(6,)", 20, ": the file's size is not that of its array"},
        {"float2[3]", "<f4", "(2, 3)", 24, ": the last axis is not the 2 components of float2 in the buffer 'a'"},
        {"float2[3]", "<f4", "(6,)", 24, ": the last axis is not the 2 components of float2 in the buffer 'a'"},
    };
    make_folder();
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[512], head[256], hash[HASH_HEX_BYTES], expected[1024];
        struct space *space = NULL;
        struct error error = {0};
        snprintf(text, sizeof text,
                 "space 2\nparam A = 1\nkernel k \"k.cu\"\nbuffer a %s %s\n"
                 "buffer o int[1] output\nargs o%s\nblock 1\ngrid 1\nreference %s\n",
                 rows[i].type, i % 2 ? "output" : "file(\"sub/a.npy\")", i % 2 ? ", a" : "",
                 i % 2 ? "a file(\"sub/a.npy\")\nreference default" : "r block 1 grid 1");
        write_inside(folder, "t.space", text);
        int length = snprintf(head, sizeof head, "{'descr': '%s', 'fortran_order': False, 'shape': %s}", rows[i].descr,
                              rows[i].shape);
        FILE *file = fopen(path_inside(folder, "sub/a.npy"), "wb");
        CU_ASSERT_PTR_NOT_NULL_FATAL(file);
        fprintf(file, "\x93NUMPY%c%c%c%c%s%*s", 1, 0, length, 0, head, (int)rows[i].bytes, "");
        fclose(file);
        CU_ASSERT_EQUAL_FATAL(space_parse(&space, path_inside(folder, "t.space"), &error), 0);
        CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
        int code = data_hash(space, hash, &error);
        CU_ASSERT_EQUAL(code, *rows[i].message ? ERROR_DATA : 0);
        snprintf(expected, sizeof expected, "%s%s", code ? path_inside(folder, "sub/a.npy") : "", rows[i].message);
        expect_text(rows[i].type, error.message, expected);
        CU_ASSERT_EQUAL(i % 2 ? space->buffers[0].expected_offset : space->buffers[0].file_offset,
                        code ? 0 : 10 + (uint64_t)length);
        space_free(space);
        unlink(path_inside(folder, "sub/a.npy"));
    }
    remove_folder();
}

/* The reference's own file: its names are macros of its own compilation only, and its text is a part of the
 * fingerprint. */
static void reference_file(void)
{
    enum { PARAMETERS = 4 };
    static const struct {
        const char *reference;
        bool in_source[PARAMETERS], in_reference[PARAMETERS]; /* A, B, C and D */
        const char *options;                                  /* of the reference */
        bool unknown;
    } rows[] = {
        {"int B;\n", {true, false, false, false}, {false, true, false, true}, "-DB=3 -DD=4 -x=2 ", false},
        {"#include \"a.h\"\n",
         {true, false, false, false},
         {true, false, true, true},
         "-DA=2 -DC=6 -DD=4 -x=2 ",
         false},
        {"#include FILE\n",
         {true, false, false, false},
         {true, true, true, true},
         "-DA=2 -DB=3 -DC=6 -DD=4 -x=2 ",
         true},
    };
    struct device_limits limits = h200_limits();
    struct error error = {0};
    char before[HASH_HEX_BYTES] = "";
    make_folder();
    write_inside(folder, "t.space",
                 "space 2\nparam A = 1, 2\nparam B = 3\nparam C = 5, 6\nparam D = 4\nkernel k \"k.cu\"\n"
                 "buffer o int[1] output\nargs o\nblock 1\ngrid 1\noption \"-x=2\"\n"
                 "reference r<D> \"sub/c.h\" block 1 grid 1\ndefault A=2 B=3 C=6 D=4\n");
    write_inside(folder, "k.cu", "#include \"a.h\"\n");
    write_inside(folder, "a.h", "int A;\n");
    write_inside(folder, "sub/a.h", "int A, C;\n");
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = NULL;
        struct text options = {0};
        size_t count = 0;
        write_inside(folder, "sub/c.h", rows[i].reference);
        CU_ASSERT_EQUAL_FATAL(space_parse(&space, path_inside(folder, "t.space"), &error), 0);
        for (size_t p = 0; p < PARAMETERS; p++) {
            CU_ASSERT_EQUAL(space->parameters[p].in_source, rows[i].in_source[p]);
            CU_ASSERT_EQUAL(space->reference->file->parameters >> p & 1u, rows[i].in_reference[p]);
        }
        expect_text("path", space->reference->file->path, path_inside(folder, "sub/c.h"));
        expect_text("text", space->reference->file->source, rows[i].reference);
        expect_text("kernel", space->source, "#include \"a.h\"\n");
        CU_ASSERT_EQUAL(space->source_unknown != NULL, rows[i].unknown);
        CU_ASSERT_STRING_NOT_EQUAL(space->source_hash, before);
        strcpy(before, space->source_hash);
        CU_ASSERT_EQUAL(space_bind(space, NULL, 0, &limits, &error), 0);
        CU_ASSERT_EQUAL(space_step_options(space, space->reference, 0, &options, &count, &error), 0);
        for (size_t at = 0; at < options.length; at++)
            if (!options.bytes[at])
                options.bytes[at] = ' ';
        expect_text("options", text_string(&options), rows[i].options);
        text_free(&options);
        space_free(space);
    }
    unlink(path_inside(folder, "sub/a.h"));
    unlink(path_inside(folder, "sub/c.h"));
    source_hash(before, &error);
    CU_ASSERT_EQUAL(error.code, ERROR_NOT_FOUND);
    CU_ASSERT_EQUAL(error.line, 12);
    CU_ASSERT_EQUAL(error.column, 16);
    remove_folder();
}

CU_TestInfo tests_source[] = {{"npy files", npy_files},
                              {"names in the source", names_in_source},
                              {"the reference's own file", reference_file},
                              {"fingerprint", fingerprint},
                              {"failures", failures},
                              {"options lead to headers", options_lead_to_headers},
                              {"files count once", files_count_once},
                              {"constant symbols", constant_symbols},
                              {"large sources", large_sources},
                              {"toolkit headers", toolkit_headers},
                              {"data", data},
                              {"expected data", expected_data},
                              CU_TEST_INFO_NULL};
