import { ProtocolError, inputRequired } from '@modelcontextprotocol/server'
import { PNG } from './content.mjs'
import { acceptedFor, askForm, formOf } from './questions.mjs'

const user = (content) => ({ role: 'user', content })
const text = (words) => user({ type: 'text', text: words })
const argument = (name, description) => ({ name, description, required: true })

export const prompts = {
  test_simple_prompt: {
    description: 'One message',
    get: () => ({ messages: [text('This is a simple prompt for testing.')] }),
  },
  test_prompt_with_arguments: {
    description: 'Puts its arguments into a message',
    arguments: [argument('arg1', 'First test argument'), argument('arg2', 'Second test argument')],
    get: ({ arg1, arg2 }) => ({
      messages: [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
  },
  test_prompt_with_embedded_resource: {
    description: 'Embeds a resource',
    arguments: [argument('resourceUri', 'URI of the resource to embed')],
    get: ({ resourceUri }) => ({
      messages: [
        user({
          type: 'resource',
          resource: {
            uri: resourceUri,
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        }),
        text('Please process the embedded resource above.'),
      ],
    }),
  },
  test_prompt_with_image: {
    description: 'Holds an image',
    get: () => ({
      messages: [
        user({ type: 'image', data: PNG, mimeType: 'image/png' }),
        text('Please analyze the image above.'),
      ],
    }),
  },
  test_input_required_result_prompt: {
    description: 'Asks for its context first',
    get: (_, context) => {
      const given = acceptedFor(context, 'user_context')?.context
      if (given !== undefined) return { messages: [text(`Use this context: ${given}`)] }
      const question = askForm('What context should the prompt use?', formOf({ context: { type: 'string' } }))
      return inputRequired({ inputRequests: { user_context: question } })
    },
  },
}

export function registerPrompts(server, shared) {
  const listed = () => {
    const extra = shared.state.prompt ? { test_toggled_prompt: { description: 'Comes and goes' } } : {}
    return { ...prompts, ...extra }
  }
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(listed()).map(([name, { description, arguments: args }]) => ({
      name,
      description,
      ...(args && { arguments: args }),
    })),
  }))
  server.setRequestHandler('prompts/get', (request, context) => {
    const prompt = prompts[request.params.name]
    if (prompt) return prompt.get(request.params.arguments ?? {}, context)
    throw new ProtocolError(-32602, `There is no prompt ${request.params.name}.`)
  })
  server.setRequestHandler('completion/complete', (request) => {
    const { value } = request.params.argument
    const values = ['paris', 'park', 'party', 'test', 'testing'].filter((word) => word.startsWith(value))
    return { completion: { values, total: values.length, hasMore: false } }
  })
}
