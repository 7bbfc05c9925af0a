/**
 * The calls that the servers acknowledged, and the losses among them. It grows only by received responses.
 */
import { type LoggedIn, type Place, refresh, releaseShares } from '../client/user.ts'

export type Account = {
  user: LoggedIn
  address: string | undefined
  /** Whether the user logged in, or tried to, on another device. */
  isElsewhere: boolean
}

const counted = [
  'logins',
  'refreshes',
  'wallets',
  'approvals',
  'recoveries',
  'guesses',
  'repeatedMailCalls',
  'givenUp',
] as const
type Counted = (typeof counted)[number]

export type Ledger = ReturnType<typeof createLedger>

export function createLedger() {
  const accounts: Account[] = []
  const losses: string[] = []
  const counts = new Map<Counted, number>(counted.map((what) => [what, 0]))
  let disturbances = 0
  return {
    accounts: accounts as readonly Account[],
    losses: losses as readonly string[],
    count: (what: Counted, by = 1) => counts.set(what, (counts.get(what) ?? 0) + by),
    counts: () => Object.fromEntries(counts),
    lose: (what: string) => losses.push(what),
    open(user: LoggedIn): Account {
      const account: Account = { user, address: undefined, isElsewhere: false }
      accounts.push(account)
      return account
    },
    /** Increases when a disturbance starts and when it ends. */
    disturbances: () => disturbances,
    disturb: () => {
      disturbances += 1
    },
  }
}

/** Checks that every session refreshes for the same user, with the acknowledged wallet and its shares. */
export async function checkAccounts({ accounts, lose }: Ledger, place: Place): Promise<void> {
  for (const { user, address } of accounts) {
    try {
      const next = await refresh(place, user)
      if (next.user?.id !== user.userId) lose(`the session of ${user.userId} is somebody else's`)
      if (address === undefined) continue
      const wallets = next.user?.linkedAccounts.filter((account) => account.type === 'wallet') ?? []
      if (wallets.length !== 1 || wallets[0]?.address !== address) {
        lose(`the wallet ${address} is not ${user.userId}'s`)
      }
      await releaseShares(place, next, address)
    } catch (error) {
      lose(`${user.userId}: ${error instanceof Error ? error.message : error}`)
    }
  }
}

const twoSessions = 'select user_id from sessions group by user_id having count(*) > 1'

/** Rows that must not exist, even after repeated calls. Each address logged in once. */
const brokenRows = {
  'users with two wallets of a chain':
    'select user_id from wallets group by user_id, chain_type having count(*) > 1',
  'addresses with two accounts':
    'select identifier from linked_accounts group by app_id, type, identifier having count(*) > 1',
  'accounts without a user':
    'select user_id from linked_accounts where user_id not in (select id from users)',
  'sessions without a user': 'select user_id from sessions where user_id not in (select id from users)',
} as const

/** Checks the database directly. */
export async function checkRows(
  { accounts, lose }: Ledger,
  rowsOf: (sql: string) => Promise<readonly unknown[]> | readonly unknown[],
): Promise<void> {
  const elsewhere = new Set(accounts.flatMap(({ isElsewhere, user }) => (isElsewhere ? user.userId : [])))
  for (const row of await rowsOf(twoSessions)) {
    const userId = String(Object(row).user_id)
    if (!elsewhere.has(userId)) lose(`${userId} has two sessions of one login`)
  }
  for (const [what, sql] of Object.entries(brokenRows)) {
    const rows = await rowsOf(sql)
    if (rows.length > 0) lose(`${rows.length} ${what}: ${JSON.stringify(rows[0])}`)
  }
}
