import type { FindingsDescription, TreeNode } from '@latchkey/protocol/reading'
import { toMessageParts } from '@latchkey/protocol/reading'
import { useTexts } from '../../../i18n/context.tsx'
import base from '../../../ui/base.module.css'
import { InlineButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Banner } from '../../../ui/lazy/banner.tsx'
import { useCopied } from '../../../ui/rows/copied.ts'
import { hasInvisibleParts, ShownParts } from '../../../ui/rows/shown-parts.tsx'
import { Note } from '../../../ui/stack.tsx'
import { Lead } from '../../../ui/title.tsx'
import box from '../message-box.module.css'
import { texts } from '../texts.arb'
import styles from './typed-data-box.module.css'

type SentencesProps = Pick<FindingsDescription, 'sentences'>

/** The description of a request, with its warnings last. */
export function Sentences({ sentences }: SentencesProps) {
  const [plain, warnings] = [
    sentences.filter(({ isPlain }) => isPlain),
    sentences.filter(({ isPlain }) => !isPlain),
  ]
  return (
    <>
      {plain.map(({ text }) => (
        <Lead key={text}>{text}</Lead>
      ))}
      {warnings.length > 0 && (
        <Banner kind="warning">
          <ul className={styles.findings}>
            {warnings.map(({ text }) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Banner>
      )}
    </>
  )
}

type TypedDataBoxProps = SentencesProps & { tree: readonly TreeNode[]; json: string }

/** The typed data as a tree, below a description of its known parts. */
export function TypedDataBox({ tree, sentences, json }: TypedDataBoxProps) {
  const { review, typedData } = useTexts(texts)
  return (
    <>
      <Sentences sentences={sentences} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls */}
      <div
        className={classNames(box.box, styles.box)}
        role="group"
        aria-label={review.message}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what has the focus
        tabIndex={0}
        dir="ltr"
      >
        <Branch nodes={tree} empty={typedData.empty} />
      </div>
      <Note>
        {tree.some(nodeHides) && <span>{review.invisible} </span>}
        <Copy text={json} />
      </Note>
    </>
  )
}

type BranchProps = { nodes: readonly TreeNode[]; empty: string }

const Branch = ({ nodes, empty }: BranchProps) => (
  <ul className={styles.branch}>
    {nodes.map((node) => (
      <li key={node.name}>
        <span className={styles.name} title={node.type}>
          {node.name}
        </span>{' '}
        {typeof node.value === 'string' ? (
          <bdi className={classNames(styles.value, isText(node) ? undefined : base.mono)}>
            {node.value === '' ? <i>{empty}</i> : <ShownParts parts={toMessageParts(node.value)} />}
          </bdi>
        ) : node.value.length === 0 ? (
          <i>{empty}</i>
        ) : (
          <Branch nodes={node.value} empty={empty} />
        )}
      </li>
    ))}
  </ul>
)

const isText = ({ type }: TreeNode) => type === 'string'

const nodeHides = ({ value }: TreeNode): boolean =>
  typeof value === 'string' ? hasInvisibleParts(toMessageParts(value)) : value.some(nodeHides)

function Copy({ text }: { text: string }) {
  const { typedData } = useTexts(texts)
  const { copied, copy } = useCopied(text)
  return (
    <>
      <InlineButton onPress={copy}>{copied ? typedData.copied : typedData.copy}</InlineButton>
      <span className={base.unseen} aria-live="polite">
        {copied ? typedData.copied : ''}
      </span>
    </>
  )
}
