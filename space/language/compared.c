/* Decides whose contents are compared with expected results. */
#include "expression/space_internal.h"

bool space_may_be_compared(const struct buffer *buffer)
{
    const struct expr *count = buffer->compared;
    bool none = count && expr_root(count)->operation == OP_CONSTANT && !value_truth(&expr_root(count)->constant);
    return buffer_roles[buffer->role].compared && !none;
}

bool space_judges(const struct space *space)
{
    return space->accept || space->accept_command;
}

bool space_is_referenced(const struct buffer *buffer)
{
    return space_may_be_compared(buffer) && !buffer->expected_path && !buffer->accepted;
}
