import { type AdminRouteOutput, adminWebhookRoutes, webhookEventTypes } from '@latchkey/protocol/admin'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { adminQuery } from '../api/queries.ts'
import { Action } from '../shell/action.tsx'
import { Card, CurlButton, Screen } from '../shell/screen.tsx'
import { useCan } from '../shell/session.ts'
import { DataTable, defineColumns } from '../ui/data-table.tsx'
import { Switch, TextField } from '../ui/fields.tsx'
import { Badge, Empty, Loaded, Muted, Time } from '../ui/states.tsx'
import styles from './screens.module.css'

const route = getRouteApi('/signed-in/apps/$app/webhooks')
const { listWebhooks, createWebhook } = adminWebhookRoutes

export type Webhook = AdminRouteOutput<typeof adminWebhookRoutes.getWebhook>

export function WebhookState({ webhook }: { webhook: Webhook }) {
  if (webhook.paused) return <Badge tone="warning">Paused: {webhook.paused.reason}</Badge>
  return webhook.failingSince === null ? (
    <Badge tone="good">Enabled</Badge>
  ) : (
    <Badge tone="bad">Failing</Badge>
  )
}

const columns = defineColumns<Webhook>([
  {
    header: 'Endpoint',
    cell: ({ id, appId, url, description }) => (
      <span className={styles.stack}>
        <Link to="/apps/$app/webhooks/$webhook" params={{ app: appId, webhook: id }}>
          {url}
        </Link>
        {description !== '' && <Muted>{description}</Muted>}
      </span>
    ),
  },
  { header: 'Events', cell: ({ events }) => (events.length === 0 ? 'all' : events.length) },
  { header: 'State', cell: (webhook) => <WebhookState webhook={webhook} /> },
  { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
])

export function Webhooks() {
  const { app } = route.useParams()
  const can = useCan()
  const input = { params: { app } }
  const query = useQuery(adminQuery(listWebhooks, input))
  return (
    <Screen
      title="Webhooks"
      lead="The server sends signed events to these endpoints, and repeats failed deliveries for three days."
      call={<CurlButton route={listWebhooks} input={input} />}
      actions={can('webhooks:write') && <CreateWebhook app={app} />}
    >
      <Card>
        <Loaded query={query}>
          {({ output }) => (
            <DataTable
              label="Webhooks"
              columns={columns}
              data={output.data}
              empty={
                <Empty title="There are no webhooks">
                  Add an endpoint, and your backend learns of logins, blocks and deletions.
                </Empty>
              }
            />
          )}
        </Loaded>
      </Card>
    </Screen>
  )
}

function CreateWebhook({ app }: { app: string }) {
  const navigate = route.useNavigate()
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const [isFiltered, setIsFiltered] = useState(false)
  const [events, setEvents] = useState<readonly string[]>([])
  const body = {
    url,
    ...(description !== '' && { description }),
    ...(isFiltered && { events: webhookEventTypes.filter((type) => events.includes(type)) }),
  }
  return (
    <Action
      label="Add endpoint"
      title="Add an endpoint"
      verb="Add"
      isDisabled={!URL.canParse(url) || (isFiltered && events.length === 0)}
      route={createWebhook}
      input={{ params: { app }, body }}
      onDone={({ output }) =>
        navigate({ to: '/apps/$app/webhooks/$webhook', params: { app, webhook: output.id } })
      }
    >
      <TextField
        label="URL"
        type="url"
        placeholder="https://app.example/latchkey"
        value={url}
        onChange={({ target }) => setUrl(target.value.trim())}
      />
      <TextField
        label="Description"
        value={description}
        maxLength={200}
        onChange={({ target }) => setDescription(target.value)}
      />
      <Switch
        label="Only some events"
        checked={isFiltered}
        onChange={({ target }) => setIsFiltered(target.checked)}
      />
      {isFiltered && (
        <div className={styles.switches}>
          {webhookEventTypes.map((type) => (
            <Switch
              key={type}
              label={type}
              checked={events.includes(type)}
              onChange={({ target }) =>
                setEvents(target.checked ? [...events, type] : events.filter((each) => each !== type))
              }
            />
          ))}
        </div>
      )}
    </Action>
  )
}
