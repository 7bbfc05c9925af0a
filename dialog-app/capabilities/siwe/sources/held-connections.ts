/** Connections that outlast their card, because the page continues to use the wallet. */
import type { Connector } from './connector.ts'
import type { OfferedWallet } from './offered-wallets.ts'

export type HeldConnection = {
  wallet: OfferedWallet
  connector: Connector
  appLink: string | undefined
}

export type HeldConnections = {
  of: (address: string) => HeldConnection | undefined
  has: (connector: Connector) => boolean
  /** Replaces a connection with the same address. */
  hold: (address: string, connection: HeldConnection) => void
  end: (address: string) => Promise<void>
}

export function createHeldConnections(): HeldConnections {
  const connections = new Map<string, HeldConnection>()
  const toKey = (address: string) => address.toLowerCase()

  async function end(address: string) {
    const connection = connections.get(toKey(address))
    connections.delete(toKey(address))
    await connection?.connector.disconnect?.()
  }

  return {
    of: (address) => connections.get(toKey(address)),
    has: (connector) => [...connections.values()].some((each) => each.connector === connector),
    hold(address, connection) {
      if (connections.get(toKey(address))?.connector !== connection.connector) end(address).catch(() => {})
      connections.set(toKey(address), connection)
    },
    end,
  }
}
