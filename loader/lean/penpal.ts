/**
 * Penpal's handshake and calls, as its version 7 speaks them, for the one page that every visitor of a host loads:
 * a window, one exact origin, methods without a path. The dialog on the other end has penpal itself, and the tests
 * of this file connect the two. Left out are the log, timeouts of single calls, transfers, and the protocol of
 * older versions.
 *
 * Both sides say SYN with an id, and again when they hear one. The side with the greater id answers ACK1, the
 * other makes a MessageChannel and sends one end with ACK2. From there on calls and replies go through the port.
 */
type Message = { readonly type: string } & Readonly<Record<string, unknown>>
type Handler = (message: Message) => void
type Messenger = {
  addMessageHandler(handler: Handler): void
  open(channel: string): void
  /** Tells whether there was a way to send it. */
  send(type: string, rest?: object): boolean
  close(): void
}

/** Called with `new`, as penpal's class is. */
export function WindowMessenger({
  remoteWindow,
  allowedOrigins: [origin],
}: {
  remoteWindow: Window
  allowedOrigins: readonly [string]
}): Messenger {
  const handlers: Handler[] = []
  let port: MessagePort | undefined
  let channel: string | undefined

  const receive = ({ data }: { data: Message }) => {
    if (data?.namespace === 'penpal' && data.channel === channel)
      for (const handler of handlers) handler(data)
  }
  const usePort = (next?: MessagePort) => {
    port?.close()
    port = next
    if (port) port.onmessage = receive
  }
  const listen = (event: MessageEvent) => {
    if (event.source !== remoteWindow || event.origin !== origin) return
    const type = event.data?.type
    if (type === 'SYN' || type === 'ACK2') usePort(event.ports[0])
    receive(event)
  }

  return {
    addMessageHandler: (handler) => handlers.push(handler),
    open(name) {
      channel = name
      window.addEventListener('message', listen)
    },
    send(type, rest) {
      const message = { namespace: 'penpal', channel, type, ...rest }
      const transfer: MessagePort[] = []
      if (type === 'ACK2') {
        const { port1, port2 } = new MessageChannel()
        usePort(port1)
        transfer.push(port2)
      }
      // Before the frame has loaded it has another origin; a SYN carries nothing that matters.
      const targetOrigin = type === 'SYN' ? '*' : origin
      if (/SYN|ACK/.test(type)) remoteWindow.postMessage(message, { targetOrigin, transfer })
      else port?.postMessage(message)
      return !!port
    },
    close() {
      window.removeEventListener('message', listen)
      usePort()
      handlers.length = 0
    },
  }
}

type Methods = { readonly call: (message: unknown) => unknown }
type Options = {
  readonly messenger: Messenger
  readonly methods: Methods
  readonly timeout: number
  readonly channel: string
}

export function connect({ messenger, methods, timeout, channel }: Options) {
  const { promise, resolve, reject } = Promise.withResolvers<Methods>()
  const calls = new Map<unknown, (reply: Message) => void>()
  const participantId = newId()
  let remoteId: unknown

  const destroy = () => {
    messenger.send('DESTROY')
    messenger.close()
    clearTimeout(timer)
  }
  const timer = setTimeout(() => {
    destroy()
    reject()
  }, timeout)
  const connected = () => {
    clearTimeout(timer)
    resolve({ call })
  }
  const shakeHand = () => messenger.send('SYN', { participantId })

  const call = (message: unknown) =>
    new Promise<unknown>((settle, refuse) => {
      const id = newId()
      calls.set(id, ({ isError, value }) => (isError ? refuse(value) : settle(value)))
      if (!messenger.send('CALL', { id, methodPath: ['call'], args: [message] })) refuse()
    })

  messenger.addMessageHandler(async (message) => {
    const { type, callId, id, args } = message
    if (type === 'SYN' && message.participantId !== remoteId) {
      remoteId = message.participantId
      shakeHand()
      if (participantId > String(remoteId)) messenger.send('ACK1', { methodPaths: [['call']] })
    }
    if (type === 'ACK1') messenger.send('ACK2')
    if (type === 'ACK1' || type === 'ACK2') connected()
    if (type === 'CALL' && Array.isArray(args)) {
      messenger.send('REPLY', { callId: id, value: await methods.call(args[0]) })
    }
    if (type === 'REPLY') {
      calls.get(callId)?.(message)
      calls.delete(callId)
    }
    if (type === 'DESTROY') messenger.close()
  })
  messenger.open(channel)
  shakeHand()
  return { promise, destroy }
}

const newId = () => crypto.getRandomValues(new Uint32Array(4)).join()
