// A catalog of 1,200 tools: the console loads them with four requests.
import { defineTool } from 'toolcrib'

export default Array.from({ length: 1_200 }, (_, at) =>
  defineTool({
    namespace: 'many',
    name: `tool_${String(at + 1).padStart(4, '0')}`,
    description: at === 1_100 ? 'Waters the plants.' : `Reads table ${at + 1}.`,
    isReadOnly: at !== 1_100,
    isOpenWorld: false,
    execute: () => 'done',
  }),
)
