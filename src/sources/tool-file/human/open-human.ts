import type { SetupProblem } from '../../../catalog/tool-draft.js'
import type { CompiledTool } from '../compiled.js'
import { sharedQueues } from '../transports/message-queue/queues.js'
import type { OpenedTransport, ToolOn, TransportEnvironment } from '../transports/transport.js'
import { questionMessage, sendingContext } from './question-message.js'
import { openQueueChannel } from './queue-channel.js'

/** What a tool that people answer needs of its transport. Its calls never go there; its questions do. */
export async function openHuman(
  tool: CompiledTool,
  {
    environment,
    openTransport,
  }: {
    readonly environment: TransportEnvironment
    /** Opens the transport that the file names. */
    openTransport(): Promise<OpenedTransport>
  },
): Promise<OpenedTransport> {
  const { transport } = tool
  const human = {
    execution: 'hybrid',
    call: () => Promise.reject(new Error('A person answers it.')),
  } as const
  if (!transport || transport.type === 'database')
    return { ...human, hosts: [], missing: () => notCarried(tool, environment) }
  // Also for queues: the transport closes the connections that it shares with the questions.
  const opened = await openTransport()
  if (transport.type === 'message-queue') {
    const queued = tool as ToolOn<'message-queue'>
    return { ...human, ...openQueueChannel(queued, sharedQueues(environment).open(queued), environment) }
  }
  return {
    ...human,
    hosts: opened.hosts,
    ...(opened.urlOf && { urlOf: opened.urlOf }),
    ...(opened.check && { check: opened.check }),
    ...(opened.missing && { missing: opened.missing }),
    person: {
      announce: (question, context) =>
        opened.call(questionMessage(question), sendingContext(question, context)),
    },
  }
}

function notCarried({ toolId, transport }: CompiledTool, { entry }: TransportEnvironment): SetupProblem {
  const over = transport ? `a ${transport.type}` : 'nothing'
  return {
    message: `"${entry}" cannot ask people for "${toolId}": its question goes out over ${over}; write a transport of the type message-queue or rest-api into its file.`,
    code: 'toolcrib.setup_required',
  }
}
