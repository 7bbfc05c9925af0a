import { type AdminUser, adminUserRoutes } from '@latchkey/protocol/admin'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { CallInput } from '../api/call.ts'
import { adminQuery } from '../api/queries.ts'
import { Action } from '../shell/action.tsx'
import { Card, CurlButton, Facts, Screen } from '../shell/screen.tsx'
import { useCan, useSession } from '../shell/session.ts'
import { buttonClass } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { DataTable, defineColumns, ListTable } from '../ui/data-table.tsx'
import { TextArea, TextField } from '../ui/fields.tsx'
import { Badge, Empty, Loaded, Muted, Time } from '../ui/states.tsx'
import { formatJson, parseObject } from './json.ts'
import styles from './screens.module.css'

const route = getRouteApi('/signed-in/apps/$app/users/$user')
const {
  getUser,
  updateUser,
  deleteUser,
  unlinkAccount,
  resetFactors,
  getFactorReset,
  cancelFactorReset,
  listSessions,
  endSession,
  endSessions,
} = adminUserRoutes

const getName = ({ id, accounts: [first] }: AdminUser) =>
  first ? (first.email ?? first.name ?? first.identifier) : id

export function User() {
  const params = route.useParams()
  const query = useQuery(adminQuery(getUser, { params }))
  return <Loaded query={query}>{({ output, etag }) => <UserDetails user={output} etag={etag} />}</Loaded>
}

type UserProps = { user: AdminUser; etag: string | undefined }

function UserDetails({ user, etag }: UserProps) {
  const can = useCan()
  const params = { app: user.appId, user: user.id }
  return (
    <Screen
      title={getName(user)}
      lead={
        <span className={styles.row}>
          <code>{user.id}</code>
          <CopyButton label="Copy id" text={user.id} />
          {user.blocked && <Badge tone="bad">Blocked</Badge>}
        </span>
      }
      call={<CurlButton route={getUser} input={{ params }} />}
      actions={
        can('audit:read') && (
          <Link className={buttonClass()} to="/apps/$app/audit" params={params} search={{ user: user.id }}>
            Audit log
          </Link>
        )
      }
    >
      <Card title="Facts" isPadded>
        <Facts
          rows={[
            ['Signed up', <Time key="t" at={user.createdAt} />],
            ['External id', user.externalId ?? <Muted>none</Muted>],
            ['Terms', user.hasAcceptedTerms ? 'accepted' : 'not accepted'],
            ...(user.blocked
              ? ([
                  ['Blocked', <Time key="b" at={user.blocked.at} />],
                  ['Reason', user.blocked.reason ?? <Muted>none</Muted>],
                ] as const)
              : []),
          ]}
        />
      </Card>
      <Card title="Accounts">
        <Accounts user={user} />
      </Card>
      <Card title="Wallets">
        <DataTable
          label="Wallets"
          columns={walletColumns}
          data={user.wallets}
          empty={<Empty title="This user has no wallet" />}
        />
      </Card>
      <Sessions user={user} />
      <Factors user={user} />
      <Card
        title="Metadata"
        isPadded
        actions={can('users:write', 'users:support') && <EditMetadata user={user} etag={etag} />}
      >
        <div className={styles.columns}>
          <Json title="Public: the app may copy it into host tokens" value={user.metadata.public} />
          <Json title="Private: operators only" value={user.metadata.private} />
        </div>
      </Card>
      {can('users:write', 'users:support', 'users:delete') && <Danger user={user} />}
    </Screen>
  )
}

function Factors({ user }: { user: AdminUser }) {
  const can = useCan()
  const { email } = useSession()
  const params = { app: user.appId, user: user.id }
  const query = useQuery({ ...adminQuery(getFactorReset, { params }), refetchInterval: refreshMs })
  const request = query.data?.output.request ?? null
  const isOwn = request?.operator === email.toLowerCase()
  const isAlone = can('users:write')
  return (
    <Card
      title="Verification methods"
      actions={
        can('users:write', 'users:support') &&
        (user.factors.length > 0 || request !== null) && (
          <>
            {request !== null && (
              <Action
                label="Cancel the request"
                title="Cancel this request?"
                description="The verification methods stay."
                verb="Cancel the request"
                route={cancelFactorReset}
                input={{ params }}
              />
            )}
            {(isAlone || !isOwn) && (
              <Action
                label={isAlone || request !== null ? 'Remove all' : 'Ask to remove all'}
                title="Remove all verification methods?"
                description={
                  isAlone || request !== null
                    ? 'Do this only after you have verified that the user lost them. Their sessions end, and they can enroll new methods after the next login.'
                    : 'Do this only after you have verified that the user lost them. Another operator removes them within 24 hours.'
                }
                verb={isAlone || request !== null ? 'Remove all' : 'Ask'}
                isDangerous
                route={resetFactors}
                input={{ params }}
              />
            )}
          </>
        )
      }
    >
      {request !== null && (
        <div className={styles.cardFilters}>
          <span>
            {request.operator} asked to remove them, <Time at={request.at} />.{' '}
            {isOwn ? 'Another operator must do it.' : 'Verify it yourself before you do it.'}
          </span>
        </div>
      )}
      <DataTable
        label="Verification methods"
        columns={factorColumns}
        data={user.factors}
        empty={<Empty title="This user has no second factor" />}
      />
    </Card>
  )
}

/** Another operator decides about a request, so it is read again. */
const refreshMs = 10_000

const Json = ({ title, value }: { title: string; value: object }) => (
  <div className={styles.form}>
    <Muted>{title}</Muted>
    <pre className={styles.code}>{formatJson(value)}</pre>
  </div>
)

const walletColumns = defineColumns<AdminUser['wallets'][number]>([
  { header: 'Address', cell: ({ address }) => <code>{address}</code> },
  { header: 'Chain', cell: ({ chainType }) => chainType },
  { header: 'Recovery', cell: ({ recoveryMethod }) => recoveryMethod || 'none' },
  { header: 'Origin', cell: ({ imported }) => (imported ? 'imported' : 'created') },
  { header: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
])

const factorColumns = defineColumns<AdminUser['factors'][number]>([
  { header: 'Method', cell: ({ type }) => type },
  { header: 'Enrolled', cell: ({ enrolledAt }) => <Time at={enrolledAt} /> },
])

type Account = AdminUser['accounts'][number]
type UnlinkInput = CallInput<typeof unlinkAccount>

function Accounts({ user }: { user: AdminUser }) {
  const can = useCan()
  const params = { app: user.appId, user: user.id }
  // Only the user removes a passkey, and a user keeps one account.
  const canUnlink = ({ type }: Account) =>
    can('users:write', 'users:support') && can('users:read') && type !== 'passkey' && user.accounts.length > 1
  const columns = defineColumns<Account>([
    { header: 'Type', cell: ({ type }) => type },
    {
      header: 'Account',
      cell: ({ identifier, name, email }) => (
        <span className={styles.stack}>
          <span>{identifier}</span>
          {(name ?? email) !== null && <Muted>{[name, email].filter(Boolean).join(' · ')}</Muted>}
        </span>
      ),
    },
    { header: 'Last login', cell: ({ latestVerifiedAt }) => <Time at={latestVerifiedAt} /> },
    {
      header: '',
      cell: (account) =>
        canUnlink(account) && (
          <Action
            label="Unlink"
            title={`Unlink this ${account.type} account?`}
            description={`${account.identifier} no longer logs in as this user.`}
            verb="Unlink"
            isDangerous
            route={unlinkAccount}
            input={{ params, body: { type: account.type, identifier: account.identifier } } as UnlinkInput}
          />
        ),
    },
  ])
  return (
    <DataTable
      label="Accounts"
      columns={columns}
      data={user.accounts}
      empty={<Empty title="This user has no account" />}
    />
  )
}

type SessionRow = { id: string; kind: string; createdAt: string; lastUsedAt: string; expiresAt: string }

function Sessions({ user }: { user: AdminUser }) {
  const can = useCan()
  const params = { app: user.appId, user: user.id }
  const query = useQuery(adminQuery(listSessions, { params }))
  const hasSessions = (query.data?.output.data.length ?? 0) > 0
  const columns = defineColumns<SessionRow>([
    { header: 'Kind', cell: ({ kind }) => (kind === 'fork' ? 'page of the same login' : 'login') },
    { header: 'Started', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { header: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
    { header: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
    {
      header: '',
      cell: ({ id }) =>
        can('users:write', 'users:support') && (
          <Action
            label="End"
            title="End this session?"
            description="The user is logged out in that browser and can log in again."
            verb="End session"
            route={endSession}
            input={{ params: { ...params, session: id } }}
          />
        ),
    },
  ])
  return (
    <Card
      title="Sessions"
      actions={
        <>
          <CurlButton route={listSessions} input={{ params }} />
          {can('users:write', 'users:support') && hasSessions && (
            <Action
              label="End all"
              title="End all sessions?"
              description="The user is logged out everywhere and can log in again."
              verb="End all"
              route={endSessions}
              input={{ params }}
            />
          )}
        </>
      }
    >
      <ListTable label="Sessions" query={query} columns={columns} empty="This user is logged in nowhere" />
    </Card>
  )
}

function EditMetadata({ user, etag }: UserProps) {
  const [publicText, setPublicText] = useState(formatJson(user.metadata.public))
  const [privateText, setPrivateText] = useState(formatJson(user.metadata.private))
  const [externalId, setExternalId] = useState(user.externalId ?? '')
  const [publicPart, privatePart] = [parseObject(publicText), parseObject(privateText)]
  const problem = 'This is no JSON object'
  const body = {
    metadata: { public: publicPart ?? {}, private: privatePart ?? {} },
    externalId: externalId === '' ? null : externalId,
  }
  return (
    <Action
      label="Edit"
      title="Edit metadata"
      verb="Save"
      isDisabled={publicPart === undefined || privatePart === undefined}
      route={updateUser}
      input={{ params: { app: user.appId, user: user.id }, body, ifMatch: etag }}
    >
      <TextField
        label="External id"
        hint="The id of this user in your own system. It is unique in the app."
        value={externalId}
        onChange={({ target }) => setExternalId(target.value)}
      />
      <TextArea
        label="Public metadata"
        value={publicText}
        onChange={({ target }) => setPublicText(target.value)}
        problem={publicPart === undefined ? problem : undefined}
      />
      <TextArea
        label="Private metadata"
        value={privateText}
        onChange={({ target }) => setPrivateText(target.value)}
        problem={privatePart === undefined ? problem : undefined}
      />
    </Action>
  )
}

function Danger({ user }: { user: AdminUser }) {
  const can = useCan()
  const navigate = useNavigate()
  const [reason, setReason] = useState('')
  const params = { app: user.appId, user: user.id }
  const blocking = reason.trim() === '' ? {} : { reason: reason.trim() }
  return (
    <Card title="Block or delete" isPadded>
      <div className={styles.row}>
        {can('users:write', 'users:support') &&
          (user.blocked ? (
            <Action
              label="Unblock"
              title="Unblock this user?"
              description="They can log in again."
              verb="Unblock"
              route={updateUser}
              input={{ params, body: { blocked: null } }}
            />
          ) : (
            <Action
              label="Block"
              title="Block this user?"
              description="Their sessions end, and their logins are refused until you unblock them."
              verb="Block"
              isDangerous
              route={updateUser}
              input={{ params, body: { blocked: blocking } }}
            >
              <TextField
                label="Reason"
                hint="A note for operators. The user does not see it."
                value={reason}
                maxLength={200}
                onChange={({ target }) => setReason(target.value)}
              />
            </Action>
          ))}
        {can('users:delete') && (
          <Action
            label="Delete"
            title="Delete this user for good?"
            description="The shares of their wallets are destroyed at once. Coins in a wallet that the user did not export are lost."
            verb="Delete user"
            isDangerous
            route={deleteUser}
            input={{ params }}
            onDone={() => navigate({ to: '/apps/$app/users', params: { app: user.appId } })}
          />
        )}
      </div>
    </Card>
  )
}
