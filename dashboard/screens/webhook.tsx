import { type AdminRouteOutput, adminWebhookRoutes } from '@latchkey/protocol/admin'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { CallInput } from '../api/call.ts'
import { adminPages, adminQuery } from '../api/queries.ts'
import { Action, useChange } from '../shell/action.tsx'
import { Card, CurlButton, Facts, Screen } from '../shell/screen.tsx'
import { useCan } from '../shell/session.ts'
import { Button } from '../ui/button.tsx'
import { DataTable, defineColumns, PagedTable } from '../ui/data-table.tsx'
import { SelectField } from '../ui/fields.tsx'
import { Modal } from '../ui/modal.tsx'
import { Badge, Empty, Loaded, Problem, Time } from '../ui/states.tsx'
import { formatJson, parseObject } from './json.ts'
import styles from './screens.module.css'
import { SigningSecrets } from './signing-secrets.tsx'
import { type Webhook as WebhookObject, WebhookState } from './webhooks.tsx'

const route = getRouteApi('/signed-in/apps/$app/webhooks/$webhook')
const routes = adminWebhookRoutes
type Delivery = AdminRouteOutput<typeof routes.listWebhookDeliveries>['data'][number]
type Attempt = AdminRouteOutput<typeof routes.getWebhookDelivery>['history'][number]

/** Attempts change without the operator, so the list is read again while the screen is open. */
const refreshMs = 5_000

export function Webhook() {
  const params = route.useParams()
  const query = useQuery(adminQuery(routes.getWebhook, { params }))
  return <Loaded query={query}>{({ output, etag }) => <Details webhook={output} etag={etag} />}</Loaded>
}

function Details({ webhook, etag }: { webhook: WebhookObject; etag: string | undefined }) {
  const can = useCan()
  const navigate = useNavigate()
  const params = { app: webhook.appId, webhook: webhook.id }
  const test = useChange(routes.testWebhook)
  const isPaused = webhook.state === 'paused'
  return (
    <Screen
      title={webhook.url}
      lead={webhook.description}
      call={<CurlButton route={routes.getWebhook} input={{ params }} />}
      actions={
        can('webhooks:write') && (
          <Button
            kind="primary"
            disabled={test.isPending || isPaused}
            onClick={() => test.mutate({ params })}
          >
            Send a test
          </Button>
        )
      }
    >
      <Problem error={test.error} />
      <Card title="Endpoint" isPadded>
        <Facts
          rows={[
            ['State', <WebhookState key="s" webhook={webhook} />],
            ['Events', webhook.events.length === 0 ? 'all' : webhook.events.join(', ')],
            ['Created', <Time key="c" at={webhook.createdAt} />],
            ...(webhook.failingSince === null
              ? []
              : ([['Failing since', <Time key="f" at={webhook.failingSince} />]] as const)),
          ]}
        />
        {can('webhooks:write') && (
          <div className={styles.row}>
            <SigningSecrets route={routes.readWebhookSecret} params={params} />
            <Action
              label={isPaused ? 'Enable' : 'Pause'}
              title={isPaused ? 'Enable this endpoint?' : 'Pause this endpoint?'}
              description={
                isPaused
                  ? 'New events are sent again. Replay the failed ones if the endpoint needs them.'
                  : 'Pending deliveries fail, and new events are not sent.'
              }
              verb={isPaused ? 'Enable' : 'Pause'}
              route={routes.updateWebhook}
              input={{ params, body: { state: isPaused ? 'enabled' : 'paused' }, ifMatch: etag }}
            />
            <Action
              label="Rotate the secret"
              title="Create another secret?"
              description="Earlier secrets sign too for 24 hours. Store the new one in your backend meanwhile."
              verb="Create secret"
              route={routes.rotateWebhookSecret}
              input={{ params, body: {} }}
            />
            <Action
              label="Delete"
              title="Delete this endpoint?"
              description="Its secrets and deliveries are deleted, too."
              verb="Delete endpoint"
              isDangerous
              route={routes.deleteWebhook}
              input={{ params, ifMatch: etag }}
              onDone={() => navigate({ to: '/apps/$app/webhooks', params })}
            />
          </div>
        )}
      </Card>
      <Deliveries params={params} />
    </Screen>
  )
}

type Params = { app: string; webhook: string }

const stateTones = { pending: 'warning', delivered: 'good', failed: 'bad' } as const
const DeliveryState = ({ state }: Pick<Delivery, 'state'>) => <Badge tone={stateTones[state]}>{state}</Badge>

function Deliveries({ params }: { params: Params }) {
  const can = useCan()
  const { state } = route.useSearch()
  const navigate = route.useNavigate()
  const [opened, setOpened] = useState<string>()
  const input = { params, query: { limit: '50', state } } as CallInput<typeof routes.listWebhookDeliveries>
  const query = useInfiniteQuery({
    ...adminPages(routes.listWebhookDeliveries, input),
    refetchInterval: refreshMs,
  })
  const columns = defineColumns<Delivery>([
    { header: 'Event', cell: ({ type }) => type },
    { header: 'State', cell: (delivery) => <DeliveryState state={delivery.state} /> },
    {
      header: 'Last attempt',
      cell: ({ attempts, lastAttempt }) =>
        lastAttempt === null
          ? 'none yet'
          : `${lastAttempt.status ?? lastAttempt.error ?? 'no answer'} · ${lastAttempt.durationMs} ms · ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`,
    },
    { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      header: '',
      cell: ({ id }) => (
        <Button kind="text" onClick={() => setOpened(id)}>
          Details
        </Button>
      ),
    },
  ])
  return (
    <Card
      title="Deliveries"
      actions={
        <>
          <CurlButton route={routes.listWebhookDeliveries} input={input} />
          {can('webhooks:write') && (
            <Action
              label="Replay failed"
              title="Send all failed deliveries again?"
              description="The endpoint may receive an event twice. Its id stays the same."
              verb="Replay"
              route={routes.replayWebhook}
              input={{ params, body: { state: 'failed' } }}
            />
          )}
        </>
      }
    >
      <div className={styles.cardFilters}>
        <SelectField
          label="State"
          options={[
            ['', 'All'],
            ['pending', 'Pending'],
            ['delivered', 'Delivered'],
            ['failed', 'Failed'],
          ]}
          value={state ?? ''}
          onChange={({ target }) =>
            navigate({ search: target.value === '' ? {} : { state: target.value as Delivery['state'] } })
          }
        />
      </div>
      <PagedTable label="Deliveries" query={query} columns={columns} empty="There are no deliveries" />
      {opened !== undefined && (
        <DeliveryDetails params={{ ...params, delivery: opened }} onClose={() => setOpened(undefined)} />
      )}
    </Card>
  )
}

const attemptColumns = defineColumns<Attempt>([
  { header: 'Time', cell: ({ at }) => <Time at={at} /> },
  { header: 'Answer', cell: ({ status }) => status ?? 'none' },
  { header: 'Duration', cell: ({ durationMs }) => `${durationMs} ms` },
  { header: 'Error', cell: ({ error }) => error },
])

function DeliveryDetails({
  params,
  onClose,
}: {
  params: Params & { delivery: string }
  onClose: () => void
}) {
  const can = useCan()
  const query = useQuery({
    ...adminQuery(routes.getWebhookDelivery, { params }),
    refetchInterval: ({ state: { data } }) => (data?.output.state === 'pending' ? refreshMs : false),
  })
  const replay = useChange(routes.replayWebhook)
  const { app, webhook, delivery } = params
  return (
    <Modal
      isOpen
      isWide
      onOpenChange={onClose}
      title="Delivery"
      description={<code>{delivery}</code>}
      aside={<CurlButton route={routes.getWebhookDelivery} input={{ params }} />}
      buttons={
        <>
          <Button onClick={onClose}>Close</Button>
          {can('webhooks:write') && (
            <Button
              kind="primary"
              disabled={replay.isPending}
              onClick={() => replay.mutate({ params: { app, webhook }, body: { ids: [delivery] } })}
            >
              Send again
            </Button>
          )}
        </>
      }
    >
      <Loaded query={query}>
        {({ output: { body, state, nextAttemptAt, history } }) => (
          <>
            <Facts
              rows={[
                ['State', <DeliveryState key="s" state={state} />],
                ...(nextAttemptAt === null
                  ? []
                  : ([['Next attempt', <Time key="n" at={nextAttemptAt} />]] as const)),
              ]}
            />
            <h3>Attempts</h3>
            <DataTable
              label="Attempts"
              columns={attemptColumns}
              data={history}
              empty={<Empty title="There was no attempt yet" />}
            />
            <h3>Body</h3>
            <pre className={styles.code}>{formatJson(parseObject(body)) ?? body}</pre>
          </>
        )}
      </Loaded>
      <Problem error={replay.error} />
    </Modal>
  )
}
