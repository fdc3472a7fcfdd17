import { ProtocolError, inputRequired } from '@modelcontextprotocol/server'
import { say } from './content.mjs'
import { acceptedFor, answerTo, askForm, askModel, askRoots, capabilitiesOf, formOf } from './questions.mjs'
import { openState, sealState } from './sealed-state.mjs'

const NAME = formOf({ name: { type: 'string' } })
const OK = formOf({ ok: { type: 'boolean' } })

/** Tools that need something from the client. A client with a session is asked over it; others get `input_required`. */
export const askingTools = {
  test_sampling: {
    description: 'Passes a prompt to the model of the client',
    inputSchema: formOf({ prompt: { type: 'string', description: 'What to ask the model' } }),
    run: ({ prompt }, context) => {
      const answer = answerTo(context, 'answer', 'sampling')
      if (!answer) return inputRequired({ inputRequests: { answer: askModel(prompt, 100) } })
      return say(`LLM response: ${textOf(answer)}`)
    },
  },
  test_elicitation: {
    description: 'Asks the person behind the client',
    inputSchema: formOf({ message: { type: 'string', description: 'What to show to the person' } }),
    run: ({ message }, context) =>
      elicitOnce(context, 'User response', () =>
        askForm(
          message,
          formOf({
            username: { type: 'string', description: "User's response" },
            email: { type: 'string', description: "User's email address" },
          }),
        ),
      ),
  },
  test_streaming_elicitation: {
    description: 'Asks the person, with progress before',
    run: async (_, context) => {
      const progressToken = context.mcpReq._meta?.progressToken
      if (progressToken !== undefined)
        await context.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress: 1, total: 2 },
        })
      return elicitOnce(context, 'Answer', () => askForm('Please confirm', OK))
    },
  },
  test_elicitation_sep1034_defaults: {
    description: 'Asks with a default for every kind of field',
    run: (_, context) =>
      elicitOnce(context, 'Elicitation completed', () =>
        askForm(
          'Please check these values',
          formOf(
            {
              name: { type: 'string', description: 'User name', default: 'John Doe' },
              age: { type: 'integer', description: 'User age', default: 30 },
              score: { type: 'number', description: 'User score', default: 95.5 },
              status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
              verified: { type: 'boolean', description: 'Verification status', default: true },
            },
            [],
          ),
        ),
      ),
  },
  test_elicitation_sep1330_enums: {
    description: 'Asks with every form of choice',
    run: (_, context) =>
      elicitOnce(context, 'Elicitation completed', () => askForm('Please choose', formOf(choices(), []))),
  },
  test_input_required_result_elicitation: {
    description: 'Asks for a name and greets',
    run: (_, context) => {
      const name = acceptedFor(context, 'user_name')?.name
      if (typeof name === 'string') return say(`Hello, ${name}!`)
      return inputRequired({ inputRequests: { user_name: askForm('What is your name?', NAME) } })
    },
  },
  test_input_required_result_sampling: {
    description: 'Asks the model of the client for a capital',
    run: (_, context) => {
      const answer = answerTo(context, 'capital_question', 'sampling')
      if (answer) return say(textOf(answer))
      return inputRequired({
        inputRequests: { capital_question: askModel('What is the capital of France?', 100) },
      })
    },
  },
  test_input_required_result_list_roots: {
    description: 'Asks for the roots of the client',
    run: (_, context) => {
      const answer = answerTo(context, 'client_roots', 'roots')
      if (answer) return say(`Roots: ${answer.roots.map((root) => root.uri).join(', ')}`)
      return inputRequired({ inputRequests: { client_roots: askRoots() } })
    },
  },
  test_input_required_result_request_state: {
    description: 'Asks to confirm, and knows its own state again',
    run: (_, context) => confirmWithState(context, 'confirm'),
  },
  test_input_required_result_tampered_state: {
    description: 'Asks to confirm, and refuses a state that was changed',
    run: (_, context) => confirmWithState(context, 'confirm'),
  },
  test_input_required_result_multiple_inputs: {
    description: 'Asks the person, the model and for roots at once',
    run: (_, context) => {
      checkState(context)
      const name = acceptedFor(context, 'user_name')?.name
      const greeting = answerTo(context, 'greeting', 'sampling')
      const roots = answerTo(context, 'client_roots', 'roots')
      if (name && greeting && roots) return say(`${textOf(greeting)} ${name}: ${roots.roots.length} roots`)
      return inputRequired({
        inputRequests: {
          user_name: askForm('What is your name?', NAME),
          greeting: askModel('Generate a greeting', 50),
          client_roots: askRoots(),
        },
        requestState: sealState({ round: 1 }),
      })
    },
  },
  test_input_required_result_multi_round: {
    description: 'Asks twice, one after the other',
    run: (_, context) => {
      const state = checkState(context)
      const color = acceptedFor(context, 'step2')?.color
      if (state?.round === 2 && color) return say(`${state.name} likes ${color}.`)
      const name = acceptedFor(context, 'step1')?.name
      if (state?.round === 1 && name)
        return inputRequired({
          inputRequests: {
            step2: askForm('Step 2: What is your favorite color?', formOf({ color: { type: 'string' } })),
          },
          requestState: sealState({ round: 2, name }),
        })
      return inputRequired({
        inputRequests: { step1: askForm('Step 1: What is your name?', NAME) },
        requestState: sealState({ round: 1 }),
      })
    },
  },
  test_input_required_result_capabilities: {
    description: 'Asks only in the ways that the client knows',
    run: (_, context, { server }) => {
      const known = capabilitiesOf(context, server)
      if (acceptedFor(context, 'form') || answerTo(context, 'model', 'sampling')) return say('Answered.')
      const inputRequests = {
        ...(known.elicitation && { form: askForm('Please confirm', OK) }),
        ...(known.sampling && { model: askModel('Say yes', 10) }),
      }
      if (Object.keys(inputRequests).length === 0) return say('The client knows no way to be asked.')
      return inputRequired({ inputRequests })
    },
  },
}

function elicitOnce(context, title, question) {
  const answer = answerTo(context, 'answer', 'elicit')
  if (!answer) return inputRequired({ inputRequests: { answer: question() } })
  return say(`${title}: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`)
}

function confirmWithState(context, key) {
  const state = checkState(context)
  if (state && acceptedFor(context, key)) return say('state-ok')
  return inputRequired({
    inputRequests: { [key]: askForm('Please confirm', OK) },
    requestState: sealState({ round: 1 }),
  })
}

function checkState(context) {
  const given = context.mcpReq.requestState()
  if (given === undefined) return undefined
  const state = openState(given)
  if (state) return state
  throw new ProtocolError(-32602, 'The state of the request was changed on its way.')
}

const textOf = (answer) => (Array.isArray(answer.content) ? answer.content[0] : answer.content)?.text ?? ''

function choices() {
  const plain = ['option1', 'option2', 'option3']
  const titled = [
    { const: 'value1', title: 'First' },
    { const: 'value2', title: 'Second' },
    { const: 'value3', title: 'Third' },
  ]
  return {
    untitledSingle: { type: 'string', enum: plain },
    titledSingle: { type: 'string', oneOf: titled },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: plain } },
    titledMulti: { type: 'array', items: { anyOf: titled } },
  }
}
