import {
  type AdminKeyObject,
  type AdminOperator,
  adminOperatorRoutes,
  operatorRoles,
} from '@latchkey/protocol/admin'
import { useQuery } from '@tanstack/react-query'
import { adminQuery } from '../api/queries.ts'
import { Action } from '../shell/action.tsx'
import { Card, CurlButton, Screen } from '../shell/screen.tsx'
import { useCan } from '../shell/session.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { DataTable, defineColumns, ListTable } from '../ui/data-table.tsx'
import { Badge, Muted, Time } from '../ui/states.tsx'
import styles from './screens.module.css'

const { listOperators, revokeOperator, listAdminKeys, revokeAdminKey } = adminOperatorRoutes

const stateTones = { active: 'good', invited: 'warning', revoked: 'bad' } as const

const signInNames = { passkey: 'passkey', oidc: 'OpenID provider' } as const

export function Operators() {
  return (
    <Screen title="Operators and keys" lead="People and programs that may call the Admin API.">
      <OperatorList />
      <KeyList />
      <Card title="Invite and create" isPadded>
        <p>Invitations and keys add authority, so only commands on the server create them.</p>
        <Command text="latchkey operator invite ada@example.com --role support" />
        <Command text="latchkey operator oidc" />
        <Command text="latchkey admin keys create --name support-desk --scope users:read" />
      </Card>
      <Card title="Roles">
        <DataTable label="Roles" columns={roleColumns} data={roles} empty={undefined} />
      </Card>
    </Screen>
  )
}

const Command = ({ text }: { text: string }) => (
  <div className={styles.row}>
    <code>{text}</code>
    <CopyButton label="Copy" text={text} />
  </div>
)

const roles = Object.entries(operatorRoles).map(([name, { meaning, scopes }]) => ({ name, meaning, scopes }))
const roleColumns = defineColumns<(typeof roles)[number]>([
  { header: 'Role', cell: ({ name }) => name },
  { header: 'Meaning', cell: ({ meaning }) => meaning },
  { header: 'Scopes', cell: ({ scopes }) => <Muted>{scopes.join(', ')}</Muted> },
])

function OperatorList() {
  const can = useCan()
  const query = useQuery(adminQuery(listOperators, {}))
  const columns = defineColumns<AdminOperator>([
    { header: 'Operator', cell: ({ email }) => email },
    { header: 'Role', cell: ({ role }) => role },
    { header: 'App', cell: ({ appId }) => (appId === null ? 'every app' : <code>{appId}</code>) },
    { header: 'Sign-in', cell: ({ signIn }) => signInNames[signIn] },
    { header: 'State', cell: ({ state }) => <Badge tone={stateTones[state]}>{state}</Badge> },
    { header: 'Last sign-in', cell: ({ lastSignInAt }) => <Time at={lastSignInAt} /> },
    {
      header: '',
      cell: ({ id, email, signIn, state }) =>
        can('operators:write') &&
        state !== 'revoked' && (
          <Action
            label="Revoke"
            title={`Revoke ${email}?`}
            description={
              signIn === 'oidc'
                ? `Their sessions end and their sign-ins are refused. Undo this on the server: latchkey operator admit ${id}`
                : 'Their sessions end and their passkeys are refused. Invite them again to undo this.'
            }
            verb="Revoke"
            isDangerous
            route={revokeOperator}
            input={{ params: { operator: id } }}
          />
        ),
    },
  ])
  return (
    <Card title="Operators" actions={<CurlButton route={listOperators} input={{}} />}>
      <ListTable label="Operators" query={query} columns={columns} empty="There are no operators" />
    </Card>
  )
}

function KeyState({ adminKey: { revokedAt, expiresAt } }: { adminKey: AdminKeyObject }) {
  if (revokedAt !== null) return <Badge tone="bad">revoked</Badge>
  if (Date.parse(expiresAt) <= Date.now()) return <Badge tone="bad">expired</Badge>
  return (
    <span>
      until <Time at={expiresAt} />
    </span>
  )
}

function KeyList() {
  const can = useCan()
  const query = useQuery(adminQuery(listAdminKeys, {}))
  const columns = defineColumns<AdminKeyObject>([
    {
      header: 'Key',
      cell: ({ id, name }) => (
        <span className={styles.stack}>
          {name}
          <Muted>{id}</Muted>
        </span>
      ),
    },
    { header: 'App', cell: ({ appId }) => (appId === null ? 'every app' : <code>{appId}</code>) },
    { header: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
    { header: 'State', cell: (key) => <KeyState adminKey={key} /> },
    { header: 'Last used', cell: ({ lastUsedOn }) => lastUsedOn?.slice(0, 10) ?? <Muted>never</Muted> },
    {
      header: '',
      cell: ({ id, name, revokedAt }) =>
        can('operators:write') &&
        revokedAt === null && (
          <Action
            label="Revoke"
            title={`Revoke the key ${name}?`}
            description="Its program is refused at once."
            verb="Revoke"
            isDangerous
            route={revokeAdminKey}
            input={{ params: { key: id } }}
          />
        ),
    },
  ])
  return (
    <Card title="Admin keys" actions={<CurlButton route={listAdminKeys} input={{}} />}>
      <ListTable label="Admin keys" query={query} columns={columns} empty="There are no admin keys" />
    </Card>
  )
}
