import { ProtocolError, inputRequired } from '@modelcontextprotocol/server'
import { pause, say } from './content.mjs'
import { acceptedFor, askForm, formOf } from './questions.mjs'
import { knowsTasks, requireTasks, startTask } from './tasks.mjs'

const CONFIRM = formOf({ confirm: { type: 'boolean' } })

/** Tools that may take long: as a task for clients that know tasks, and otherwise at once. */
export const taskTools = {
  greet: {
    description: 'Greets, never as a task',
    inputSchema: formOf({ name: { type: 'string' } }, []),
    run: ({ name = 'you' }) => say(`Hello, ${name}!`),
  },
  slow_compute: {
    description: 'Sleeps, then answers',
    inputSchema: formOf({ seconds: { type: 'number' }, label: { type: 'string' } }, []),
    run: ({ seconds = 0, label = '' }, context, { server }) => {
      const work = async ({ signal }) => {
        await pause(seconds * 1000, signal)
        return say(`Computed ${label} in ${seconds} s.`)
      }
      return knowsTasks(context, server) ? startTask(work) : work({ signal: context.mcpReq.signal })
    },
  },
  failing_job: {
    description: 'Runs as a task and reports that it failed',
    run: (_, context, { server }) => {
      requireTasks(context, server)
      return startTask(async ({ signal }) => {
        await pause(300, signal)
        return { ...say('The job failed.'), isError: true }
      })
    },
  },
  protocol_error_job: {
    description: 'Runs as a task and breaks',
    run: (_, context, { server }) => {
      requireTasks(context, server)
      return startTask(async ({ signal }) => {
        await pause(100, signal)
        throw new ProtocolError(-32603, 'The job broke.')
      })
    },
  },
  confirm_delete: {
    description: 'Asks before it deletes',
    inputSchema: formOf({ filename: { type: 'string' } }, []),
    run: ({ filename = 'a file' }, context, { server }) => {
      const question = askForm(`Delete ${filename}?`, CONFIRM)
      if (knowsTasks(context, server))
        return startTask(async ({ ask }) => {
          const answer = await ask('confirm', question)
          return say(`Deleted ${filename}: ${answer.content?.confirm === true}`)
        })
      const answer = acceptedFor(context, 'confirm')
      return answer
        ? say(`Deleted ${filename}: ${answer.confirm === true}`)
        : inputRequired({ inputRequests: { confirm: question } })
    },
  },
  multi_input: {
    description: 'Asks two questions at once, as a task',
    run: (_, context, { server }) => {
      requireTasks(context, server)
      return startTask(async ({ ask }) => {
        const schema = formOf({ name: { type: 'string' }, confirm: { type: 'boolean' } }, [])
        const answers = await Promise.all([
          ask('first', askForm('The first?', schema)),
          ask('second', askForm('The second?', schema)),
        ])
        return say(answers.map((answer) => answer.content?.name ?? '').join(' and '))
      })
    },
  },
  test_tool_with_task: {
    description: 'Asks for a name first, then works as a task',
    run: (_, context, { server }) => {
      requireTasks(context, server)
      const name = acceptedFor(context, 'user_name')?.name
      if (name === undefined)
        return inputRequired({
          inputRequests: {
            user_name: askForm('What is your name?', formOf({ name: { type: 'string' } })),
          },
        })
      return startTask(async ({ signal }) => {
        await pause(100, signal)
        return say(`Hello, ${name}!`)
      })
    },
  },
}
