import type { MarkDrawing } from '../mark.tsx'

export const cryptocom: MarkDrawing = [
  {
    fill: '#1199fa',
    path: 'M10 1.5 17.4 5.8v8.4L10 18.5 2.6 14.2V5.8ZM7.4 5 6.2 8.2h7.6L12.6 5ZM6 11.8 8.2 15h3.6L14 11.8 12.2 9.6H7.8Z',
  },
]
