import type { MarkDrawing } from '../mark.tsx'

export const zerion: MarkDrawing = [
  {
    fill: '#2962ef',
    path: 'M4 4.5h11.6c.5 0 .7.6.3 1l-4 3.4c-.5.4-1 .6-1.6.6H3.6c-.5 0-.8-.4-.6-.8l.6-3.6c.1-.4.2-.6.4-.6ZM16 15.5H4.4c-.5 0-.7-.6-.3-1l4-3.4c.5-.4 1-.6 1.6-.6h6.7c.5 0 .8.4.6.8l-.6 3.6c-.1.4-.2.6-.4.6Z',
  },
]
