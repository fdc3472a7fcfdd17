import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { fitsAddress, hasSockets, prepareSocketFolder, socketFolder } from './socket-folder.js'
import { gatewayDigest, gatewayKey } from './gateway-digest.js'
import { serveCommand, type SocketContext } from './serve-command.js'

export interface GatewaySocket {
  close(): Promise<void>
}

/** Lets commands of the same user and config use this gateway. Undefined if the system has no such sockets. */
export async function openGatewaySocket(
  context: SocketContext & { readonly store: string | undefined },
): Promise<GatewaySocket | undefined> {
  if (!hasSockets()) return undefined
  const { settings, store } = context
  const folder = socketFolder()
  // With the process id in the name: several gateways of one config do not collide.
  const path = join(folder, `${gatewayKey(settings, store)}-${process.pid}.sock`)
  if (!fitsAddress(path) || !prepareSocketFolder(folder)) return undefined
  const digest = gatewayDigest(settings, store)
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    void serveCommand(socket, { context, digest })
  })
  // A killed process with the same id may have left its socket.
  rmSync(path, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => resolve())
  })
  // Other users cannot reach the socket: the folder is closed to them.
  chmodSync(path, 0o600)
  server.unref()
  return {
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      rmSync(path, { force: true })
    },
  }
}
