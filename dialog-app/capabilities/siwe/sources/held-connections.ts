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
  const keyOf = (address: string) => address.toLowerCase()

  async function end(address: string) {
    const connection = connections.get(keyOf(address))
    connections.delete(keyOf(address))
    await connection?.connector.disconnect?.()
  }

  return {
    of: (address) => connections.get(keyOf(address)),
    has: (connector) => [...connections.values()].some((each) => each.connector === connector),
    hold(address, connection) {
      if (connections.get(keyOf(address))?.connector !== connection.connector) end(address).catch(() => {})
      connections.set(keyOf(address), connection)
    },
    end,
  }
}
