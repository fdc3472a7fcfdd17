// node examples/orders-api/serve.mjs [port]: serves the API until Ctrl-C. Writing needs the key "demo-key".
import { startOrdersApi } from './orders-api.mjs'

const { document } = await startOrdersApi({ port: Number(process.argv[2] ?? 8787) })
console.log(document)
