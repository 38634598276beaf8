#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "space/private.h"
#include "support.h"

static char folder[128];

static const char *inside(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(file_replace(inside(name), text, strlen(text), &error), 0);
}

static const char *const files[] = {"t.space", "k.cu", "a.h", "b.h", "sub/c.h", "sub/d.h", "unused.h", "link.h"};

static void make_folder(void)
{
    struct error error = {0};
    strcpy(folder, "/tmp/cutune-test-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    CU_ASSERT_EQUAL_FATAL(file_make_folder(inside("sub"), &error), 0);
    write_file("t.space",
               "space 1\nproblem N = 3\nproblem M = 3\nparam A = 1\nparam B = 1\nparam C = 1\nparam D = 1\n"
               "param E = 1\nparam F = 1\nparam G = 1\nparam H = 1\nparam I = 1\nparam azAZ_9 = 1\nkernel k<E> "
               "\"k.cu\"\nbuffer o int[1] output\n"
               "args o\nblock G\ngrid 1\noption \"-x=\" F\noption \"-y=\" I\nreference r<H> block 1 grid 1\n");
    write_file("k.cu",
               "  #  include \"a.h\"\n#include <sub/c.h>\n#include \"gone.h\"\nint A, AB = 0xB, x_B, azAZ_9; // N\n");
    write_file("a.h", "#include \"sub/d.h\"\n");
    write_file("b.h", "int b;\n");
    write_file("sub/c.h", "int c;\n");
    write_file("sub/d.h", "#include \"../b.h\"\n#include \"../a.h\"\n#include \"../k.cu\"\nint D;\n");
    write_file("unused.h", "int C;\n");
}

static void remove_folder(void)
{
    for (size_t i = 0; i < COUNT(files); i++)
        unlink(inside(files[i]));
    rmdir(inside("sub"));
    rmdir(folder);
}

/* The hash of the sources, or "" and the error. */
static void source_hash(char hash[HASH_HEX_BYTES], struct error *error)
{
    struct space *space = NULL;
    error_clear(error);
    hash[0] = '\0';
    if (space_parse(&space, inside("t.space"), error) == 0)
        strcpy(hash, space->source_hash);
    space_free(space);
}

static void names_in_source(void)
{
    struct space *space = NULL;
    struct error error = {0};
    static const bool expected[] = {true, false, false, true, true, true, false, true, true, true};
    make_folder();
    CU_ASSERT_EQUAL(space_parse(&space, inside("t.space"), &error), 0);
    expect_text("message", error.message, "");
    for (size_t i = 0; space && i < COUNT(expected); i++)
        CU_ASSERT_EQUAL(space->parameters[i].in_source, expected[i]);
    if (space) {
        CU_ASSERT_TRUE(space->private->problem_in_source[0]);
        CU_ASSERT_FALSE(space->private->problem_in_source[1]);
        CU_ASSERT_PTR_NOT_NULL(strstr(space->source, "0xB"));
    }
    space_free(space);
    remove_folder();
}

/* Each change of a file that belongs to the source changes the hash, no other does. */
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
        CU_ASSERT_EQUAL_FATAL(file_read(inside(rows[i].name), 1000, &text, &ignored), 0);
        text_printf(&text, "// changed\n");
        write_file(rows[i].name, text_string(&text));
        source_hash(after, &error);
        CU_ASSERT_EQUAL(strcmp(before, after) != 0, rows[i].changes);
        text_free(&text);
    }
    /* A header that appears is part of it from then on. */
    write_file("link.h", "");
    write_file("k.cu", "#include \"link.h\"\n");
    source_hash(before, &error);
    unlink(inside("link.h"));
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
    unlink(inside("k.cu"));
    source_hash(hash, &error);
    CU_ASSERT_EQUAL(error.code, ERROR_NOT_FOUND);
    CU_ASSERT_EQUAL(error.line, 14);
    CU_ASSERT_EQUAL(error.column, 13);
    expect_text("excerpt", error.excerpt, "kernel k<E> \"k.cu\"");
    expect_text("source", error.source, inside("t.space"));
    /* A folder in the source's place. */
    mkdir(inside("k.cu"), 0777);
    source_hash(hash, &error);
    CU_ASSERT_EQUAL(error.code, ERROR_IO);
    CU_ASSERT_EQUAL(error.line, 14);
    rmdir(inside("k.cu"));
    /* A header that includes another of its own over and over is read once; a header that does not end is refused. */
    write_file("k.cu", "#include \"k.cu\"\n");
    source_hash(hash, &error);
    CU_ASSERT_EQUAL(error.code, 0);
    CU_ASSERT_EQUAL_FATAL(truncate(inside("k.cu"), (16 << 20) + 1), 0);
    source_hash(hash, &error);
    CU_ASSERT_EQUAL(error.code, ERROR_DATA);
    CU_ASSERT_EQUAL_FATAL(truncate(inside("k.cu"), 100), 0);
    source_hash(hash, &error);
    CU_ASSERT_EQUAL(error.code, ERROR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "NUL byte"));
    error_clear(&error);
    CU_ASSERT_EQUAL(space_parse(&space, inside("gone.space"), &error), ERROR_NOT_FOUND);
    CU_ASSERT_PTR_NULL(space);
    error_clear(&error);
    CU_ASSERT_EQUAL(space_parse(&space, folder, &error), ERROR_IO);
    remove_folder();
}

/* With the folder in the place of '%'. */
static void make_option(const char *pattern, char *option, size_t room)
{
    const char *mark = strchr(pattern, '%');
    int before = mark ? (int)(mark - pattern) : (int)strlen(pattern);
    snprintf(option, room, "%.*s%s%s", before, pattern, mark ? folder : "", mark ? mark + 1 : "");
}

/* Headers that only options lead to, nested ones included: which parameters occur, and which files count. */
static void options_lead_to_headers(void)
{
    static const struct {
        const char *option, *source;
        bool occurs;         /* A, which stands in sub/c.h alone */
        const char *unknown; /* behind the folder's name; NULL: nothing */
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
        {"option \"-I%/sub\" N\n", "#include <c.h>\n", true,
         "the include folders depend on problem sizes, limits or too many parameters"},
        {"option \"-I%/sub\" M * FOLDER2\n", "#include <c.h>\n", true,
         "the include folders depend on problem sizes, limits or too many parameters"},
        {"option \"-I%/\" W\n", "#include <c.h>\n", false, NULL},
        {"", "\n#include NAME\n", true, "k.cu:2: a macro names the file that is included"},
        {"option \"-pch\"\n", "", true, "k.cu: NVRTC reads or writes files of its own because of the option -pch"},
    };
    make_folder();
    write_file("a.h", "#include <c.h>\n");
    write_file("sub/c.h", "int A;\n");
    for (size_t i = 0; i < COUNT(rows); i++) {
        char option[256], text[1024], before[HASH_HEX_BYTES];
        struct space *space = NULL;
        struct error error = {0};
        make_option(rows[i].option, option, sizeof option);
        snprintf(text, sizeof text,
                 "space 1\nproblem N = 3\nparam A = 1\nparam FOLDER = none, sub\nparam FOLDER2 = 1..200\n"
                 "param M = 1, 2\nparam W = d, e\nkernel k \"k.cu\"\nbuffer o int[1] output\nargs o\nblock 1\n"
                 "grid 1\n%sreference r block 1 grid 1\n",
                 option);
        write_file("t.space", text);
        write_file("k.cu", rows[i].source);
        CU_ASSERT_EQUAL(space_parse(&space, inside("t.space"), &error), 0);
        expect_text("message", error.message, "");
        if (!space)
            continue;
        CU_ASSERT_EQUAL(space->parameters[0].in_source, rows[i].occurs);
        CU_ASSERT_EQUAL(space->source_unknown != NULL, rows[i].unknown != NULL);
        CU_ASSERT_EQUAL(space->private->problem_in_source[0], rows[i].unknown != NULL);
        if (rows[i].unknown && space->source_unknown)
            CU_ASSERT_PTR_NOT_NULL(strstr(space->source_unknown, rows[i].unknown));
        strcpy(before, space->source_hash);
        space_free(space);
        /* The header's hash is the source's where it was found. */
        write_file("sub/c.h", "int A; // other\n");
        source_hash(text, &error);
        CU_ASSERT_EQUAL(strcmp(before, text) != 0, rows[i].occurs && !rows[i].unknown);
        write_file("sub/c.h", "int A;\n");
    }
    remove_folder();
}

/* The toolkit's headers have a hash of their own, and what occurs in them counts for nothing. */
static void toolkit_headers(void)
{
    char without[HASH_HEX_BYTES] = "", with[HASH_HEX_BYTES] = "";
    make_folder();
    for (int i = 0; i < 2; i++) {
        struct space *space = NULL;
        struct error error = {0};
        write_file("k.cu", i ? "#include <cuda_pipeline.h>\n" : "// nclude <cuda_pipeline.h>\n");
        CU_ASSERT_EQUAL_FATAL(space_parse(&space, inside("t.space"), &error), 0);
        strcpy(i ? with : without, space->toolkit_hash);
        CU_ASSERT_PTR_NULL(space->source_unknown);
        space_free(space);
    }
    CU_ASSERT_STRING_EQUAL(without, "");
    CU_ASSERT_EQUAL(strlen(with), HASH_HEX_BYTES - 1);
    remove_folder();
}

/* Only what is read of a file into a buffer counts, and in which buffer. */
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
    write_file("t.space", "space 1\nproblem N = 2\nparam A = 1\nkernel k \"k.cu\"\nbuffer a int[N] file(\"a.h\")\n"
                          "buffer b int[N] file(\"b.h\")\nbuffer o int[1] output\nargs o\nblock 1\ngrid 1\n"
                          "reference r block 1 grid 1\n");
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = NULL;
        struct error error = {0};
        write_file("a.h", rows[i].one);
        write_file("b.h", rows[i].two);
        CU_ASSERT_EQUAL_FATAL(space_parse(&space, inside("t.space"), &error), 0);
        CU_ASSERT_EQUAL_FATAL(space_bind(space, &rows[i].n, rows[i].n != NULL, NULL, &error), 0);
        CU_ASSERT_EQUAL(space_data_hash(space, i ? hash : first, &error), 0);
        CU_ASSERT_EQUAL(strlen(first), HASH_HEX_BYTES - 1);
        if (i)
            CU_ASSERT_EQUAL(strcmp(hash, first) == 0, rows[i].same);
        unlink(inside("b.h"));
        CU_ASSERT_EQUAL(space_data_hash(space, hash, &error), ERROR_NOT_FOUND);
        space_free(space);
    }
    remove_folder();
    /* Without files there is nothing to tell. */
    struct space *space = NULL;
    struct error error = {0};
    make_folder();
    CU_ASSERT_EQUAL_FATAL(space_parse(&space, inside("t.space"), &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL(space_data_hash(space, hash, &error), 0);
    CU_ASSERT_STRING_EQUAL(hash, "");
    space_free(space);
    remove_folder();
}

CU_TestInfo tests_source[] = {{"names in the source", names_in_source},
                              {"fingerprint", fingerprint},
                              {"failures", failures},
                              {"options lead to headers", options_lead_to_headers},
                              {"toolkit headers", toolkit_headers},
                              {"data", data},
                              CU_TEST_INFO_NULL};
