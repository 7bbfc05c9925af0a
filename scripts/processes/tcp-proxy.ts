/** An address of this machine that leads to another one, by TCP: whatever ends on one side ends on the other. */
import { connect, createServer, type Socket } from 'node:net'

export type TcpProxy = {
  port: number
  /** Ends what is open; what comes next is passed on again. */
  cut: () => void
  close: () => Promise<void>
}

type Options = {
  /** Whoever connects while there is no target is refused. */
  target: () => { port: number; hostname: string } | undefined
  pass: (client: Socket, upstream: Socket) => void
}

export async function startTcpProxy({ target, pass }: Options): Promise<TcpProxy> {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const to = target()
    if (to === undefined) {
      client.destroy()
      return
    }
    const upstream = connect(to.port, to.hostname)
    for (const socket of [client, upstream]) {
      // Small writes wait for each other's acknowledgement otherwise.
      socket.setNoDelay(true)
      open.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        open.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    pass(client, upstream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: address.port,
    cut,
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
