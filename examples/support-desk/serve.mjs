// node examples/support-desk/serve.mjs [port]: serves the desk until Ctrl-C. Opening a ticket needs DESK_TOKEN=desk-token.
import { startDeskApi } from './desk-api.mjs'

const { url } = await startDeskApi({ port: Number(process.argv[2] ?? 8788) })
console.log(url)
