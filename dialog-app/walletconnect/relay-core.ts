/**
 * The core of the official client, with what its options do not offer: it asks nobody who the other side is, and opens
 * no connection once it is closed. The client takes it by its option `core`.
 */
import { Core, MessageTracker, Relayer } from '@walletconnect/core'

type CoreOptions = NonNullable<ConstructorParameters<typeof Core>[0]> & {
  projectId: string
  relayUrl: string
}
/** Its storage may hold what an earlier run left unfinished. */
type Resuming = { resumes: boolean }

export class RelayCore extends Core {
  declare readonly projectId: string
  declare readonly relayUrl: string
  override readonly relayer: ClosableRelayer

  /**
   * The library's own would load the provider's page in a frame, which our policy refuses, and wait five seconds for
   * it; and ask the provider's server about each proposal. The other side is shown as one that nobody vouches for, and
   * shows us as one. No option turns it off:
   * https://github.com/WalletConnect/walletconnect-monorepo/blob/v2.0/packages/core/src/controllers/verify.ts
   */
  override readonly verify = {
    core: this,
    logger: this.logger,
    store: this.storage,
    context: 'verify',
    register: async () => '',
    resolve: async () => ({ origin: '' }),
  }

  constructor(options: CoreOptions, { resumes }: Resuming) {
    super(options)
    this.relayer = new ClosableRelayer(this, { resumes })
  }

  close(): void {
    this.heartbeat.stop()
    this.relayer.close()
    // The library keeps each core in the page, and gives the next client of its name the same, closed as it is.
    const kept = `_walletConnectCore_${this.opts?.customStoragePrefix}`
    for (const name of [kept, `${kept}_count`]) Reflect.deleteProperty(globalThis, name)
  }
}

/** https://github.com/WalletConnect/walletconnect-monorepo/blob/v2.0/packages/core/src/controllers/relayer.ts */
class ClosableRelayer extends Relayer {
  private isClosed = false

  constructor(core: RelayCore, { resumes }: Resuming) {
    const { logger, projectId, relayUrl } = core
    super({ core, logger, projectId, relayUrl })
    const { request } = this
    // What it subscribes to while it has no connection it does by connecting, without a pause while the relay refuses;
    // it subscribes again with the next connection anyway.
    this.request = async (call) => {
      if (call.method === 'irn_batchSubscribe' && !this.connected) throw new Error('No connection')
      return request(call)
    }
    if (!resumes) this.messages = new MessagesOfThisRun(this.logger, core)
    // A connection that was under way when it was closed.
    this.on('relayer_connect', () => this.isClosed && this.hangUp())
  }

  /**
   * It asks this before each connection: for a request that waited for its turn, and for a connection that was lost and
   * is wanted back a moment later, also where it was closed in between.
   */
  override async confirmOnlineStateOrThrow(): Promise<void> {
    if (this.isClosed) throw new Error('No connection')
    await super.confirmOnlineStateOrThrow()
  }

  close(): void {
    this.isClosed = true
    this.hangUp()
  }

  private hangUp(): void {
    this.transportClose().catch(() => {})
  }
}

/**
 * A second after its start the library looks through what an earlier run left, and would handle again what it is
 * handling just then. https://github.com/WalletConnect/walletconnect-monorepo/blob/v2.0/packages/sign-client/src/controllers/engine.ts
 */
class MessagesOfThisRun extends MessageTracker {
  override readonly getWithoutAck = () => ({})
}
