import { createRoot } from 'react-dom/client'
import '../shell/page.css'
import { Components } from './components.tsx'
import styles from './gallery.module.css'
import { pictures } from './pictures.ts'
import { choices, type Query, readQuery, toAddress } from './query.ts'
import { Scene } from './scene.tsx'

const captionsByPart: { readonly [part in Query['part']]?: readonly string[] } = {
  /** The cards in the README. */
  picture: ['Landing, address typed', 'Code, half typed', 'Sign'],
  /** Shows a single screen of each kind. */
  overview: [
    'Landing, nine methods',
    'Code, wrong',
    'OAuth, window open',
    'Wallet, on any phone',
    'Passkey, not allowed',
    'Wallet created, new user',
    'Sign',
    'Send',
    'Transactions together, of many digits',
    'Verification methods, some added',
    'Receive',
    'Error',
  ],
}

function Gallery({ query }: { query: Query }) {
  const captions = captionsByPart[query.part]
  const visiblePictures = captions ? pictures.filter(({ caption }) => captions.includes(caption)) : pictures
  return (
    <main className={styles.gallery} data-part={query.part} data-scheme={query.scheme}>
      {query.part !== 'picture' && <Choices query={query} />}
      {query.part === 'components' ? (
        <Components query={query} />
      ) : (
        <div className={styles.scenes}>
          {visiblePictures.map((picture) => (
            <Scene key={picture.caption} picture={picture} query={query} />
          ))}
        </div>
      )}
    </main>
  )
}

const Choices = ({ query }: { query: Query }) => (
  <nav className={styles.choices} aria-label="What is shown">
    {Object.entries(choices).map(([name, values]) => (
      <span key={name} className={styles.choice}>
        {values.map((value) => (
          <a
            key={value}
            href={toAddress({ ...query, [name]: value })}
            aria-current={Object.values(query).includes(value) ? 'true' : undefined}
          >
            {value}
          </a>
        ))}
      </span>
    ))}
  </nav>
)

const query = readQuery(location.search)
const root = document.getElementById('root')
await Promise.all(pictures.map(({ screen }) => screen(() => {}, 'en').load(query.language)))
if (root) createRoot(root).render(<Gallery query={query} />)
