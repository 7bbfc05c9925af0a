import { type AdminListedUser, adminLimits, adminUserRoutes } from '@latchkey/protocol/admin'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { CallInput } from '../api/call.ts'
import { adminPages, adminQuery } from '../api/queries.ts'
import { Card, CurlButton, Screen } from '../shell/screen.tsx'
import { useCan } from '../shell/session.ts'
import { Button } from '../ui/button.tsx'
import { DataTable, defineColumns, PagedTable } from '../ui/data-table.tsx'
import { SelectField, TextField } from '../ui/fields.tsx'
import { Badge, Empty, Loaded, Muted, Time } from '../ui/states.tsx'
import styles from './screens.module.css'
import { searchWays, type UsersSearch } from './users-search.ts'

const route = getRouteApi('/signed-in/apps/$app/users')
const { listUsers, searchUsers } = adminUserRoutes

/** The accounts of a user in one line, the first one as the link to the user. */
function UserLink({ user }: { user: AdminListedUser }) {
  const [first, ...more] = user.accounts
  return (
    <span className={styles.stack}>
      <Link to="/apps/$app/users/$user" params={{ app: user.appId, user: user.id }}>
        {first ? (first.email ?? first.name ?? first.identifier) : user.id}
      </Link>
      {more.length > 0 && <Muted>{more.map(({ type }) => type).join(', ')}</Muted>}
    </span>
  )
}

const columns = defineColumns<AdminListedUser>([
  { header: 'User', cell: (user) => <UserLink user={user} /> },
  { header: 'Login', cell: ({ accounts: [first] }) => first?.type },
  { header: 'Signed up', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    header: 'State',
    cell: ({ blocked }) => (blocked ? <Badge tone="bad">Blocked</Badge> : <Badge>Active</Badge>),
  },
])

export function Users() {
  const { app } = route.useParams()
  const search = route.useSearch()
  const { q = '', by = 'email' } = search
  if (q !== '' && by === 'prefix') return <FoundByPrefix app={app} search={search} prefix={q} />
  const query = q === '' ? { blocked: search.blocked } : { [by]: q }
  const input = { params: { app }, query: { limit: '50', ...query } } as CallInput<typeof listUsers>
  return <UserPages app={app} search={search} input={q === '' ? input : { params: { app }, query }} />
}

type Listing = { app: string; search: UsersSearch }

function UserPages({ search, input }: Listing & { input: CallInput<typeof listUsers> }) {
  const query = useInfiniteQuery(adminPages(listUsers, input))
  return (
    <UsersScreen search={search} call={<CurlButton route={listUsers} input={input} />}>
      <PagedTable
        label="Users"
        query={query}
        columns={columns}
        empty={search.q === undefined ? 'There are no users' : 'No user has exactly this value'}
      />
    </UsersScreen>
  )
}

function FoundByPrefix({ app, search, prefix }: Listing & { prefix: string }) {
  const input = { params: { app }, body: { prefix, kinds: ['email' as const, 'external_id' as const] } }
  const query = useQuery(adminQuery(searchUsers, input))
  return (
    <UsersScreen search={search} call={<CurlButton route={searchUsers} input={input} />}>
      <Loaded query={query}>
        {({ output }) => (
          <DataTable
            label="Users"
            columns={columns}
            data={output.data}
            empty={
              <Empty title="No user starts with this">Search for the whole value of another account.</Empty>
            }
          />
        )}
      </Loaded>
    </UsersScreen>
  )
}

function UsersScreen({
  search,
  call,
  children,
}: Pick<Listing, 'search'> & { call: React.ReactNode; children: React.ReactNode }) {
  return (
    <Screen title="Users" call={call}>
      <SearchForm key={`${search.by} ${search.q}`} search={search} />
      <Card>{children}</Card>
    </Screen>
  )
}

/** The filters of the list. They are in the address, so that a search can be shared. */
function SearchForm({ search }: Pick<Listing, 'search'>) {
  const navigate = route.useNavigate()
  const can = useCan()
  const ways = searchWays.filter(([way]) => way !== 'prefix' || can('users:read'))
  const [by, setBy] = useState(search.by ?? ways[0]?.[0] ?? 'email')
  const [text, setText] = useState(search.q ?? '')
  const isTooShort = by === 'prefix' && text !== '' && text.trim().length < adminLimits.shortestPrefix
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const q = text.trim()
    if (!isTooShort) navigate({ search: q === '' ? {} : { q, by } })
  }
  return (
    <search>
      <form className={styles.filters} onSubmit={submit}>
        <SelectField
          label="Search by"
          options={ways}
          value={by}
          onChange={({ target }) => setBy(target.value as typeof by)}
        />
        <TextField
          label="Value"
          type="search"
          value={text}
          onChange={({ target }) => setText(target.value)}
          placeholder={by === 'account' ? 'google_oauth:1101…' : ''}
          problem={isTooShort ? `Type at least ${adminLimits.shortestPrefix} characters` : undefined}
        />
        <Button kind="primary" type="submit">
          Search
        </Button>
        <SelectField
          label="State"
          options={[
            ['', 'All users'],
            ['true', 'Blocked'],
            ['false', 'Not blocked'],
          ]}
          value={search.blocked ?? ''}
          onChange={({ target }) =>
            navigate({ search: target.value === '' ? {} : { blocked: target.value as 'true' | 'false' } })
          }
        />
      </form>
    </search>
  )
}
