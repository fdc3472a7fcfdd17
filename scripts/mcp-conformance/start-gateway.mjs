import { startGateway as start } from '../../test/peers/start-gateway.mjs'

/** Toolcrib in front of the reference server, with its tools under the names that the suite asks for. */
export const startGateway = (url) => start({ mcpServers: { reference: { url } }, serve: { names: 'bare' } })
