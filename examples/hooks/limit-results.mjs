// The call comes in on stdin; what is printed on stdout is the answer. Nothing printed: nothing to object.
const MOST = 50

let text = ''
for await (const chunk of process.stdin) text += chunk
const { tool_input: input } = JSON.parse(text)

if (input.limit > MOST) {
  const answer = {
    systemMessage: `The limit was ${input.limit}.`,
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      updatedInput: { ...input, limit: MOST },
      additionalContext: `Searches return at most ${MOST} hits; narrow the query to see others.`,
    },
  }
  console.log(JSON.stringify(answer))
}
