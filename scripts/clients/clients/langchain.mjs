import { MultiServerMCPClient } from '@langchain/mcp-adapters'

export async function open({ stdio, http }) {
  const client = new MultiServerMCPClient({
    mcpServers: {
      toolcrib: stdio
        ? { transport: 'stdio', ...stdio, stderr: 'ignore' }
        : { transport: 'http', url: http.url, headers: http.headers },
    },
  })
  return {
    list: async () => (await client.getTools()).map(({ name }) => name),
    call: async (name, input) => {
      const tool = (await client.getTools()).find((one) => one.name === name)
      if (tool === undefined) throw new Error(`${name} is not among its tools`)
      return answerOf(tool, input)
    },
    close: () => client.close(),
  }
}

/** A text, a block of content, or several of them. */
function textIn(answer) {
  if (typeof answer === 'string') return answer
  const blocks = Array.isArray(answer) ? answer : [answer]
  return blocks.map((block) => block.text ?? JSON.stringify(block)).join('\n')
}

/** It throws what is an error to MCP; an agent shows the message to its model. */
async function answerOf(tool, input) {
  try {
    const answer = await tool.invoke(input)
    return { text: textIn(answer), isError: false }
  } catch (error) {
    if (error.name !== 'ToolException') throw error
    return { text: error.message, isError: true }
  }
}
