import type { DragEvent } from 'react'
import type { Section, SectionLesson } from './queries.ts'

/** What is drawn to another place. */
export type Dragged = { readonly lesson: SectionLesson; readonly section?: never } | { readonly section: Section; readonly lesson?: never }

/** What takes hold of something: `title` is what another program would be given. */
export const hold = (title: string, onDrag: (on: boolean) => void) => ({
  draggable: true,
  onDragStart: (event: DragEvent) => {
    event.dataTransfer.effectAllowed = 'move'
    event.dataTransfer.setData('text/plain', title)
    onDrag(true)
  },
  onDragEnd: () => onDrag(false),
})

/** Where something held over the element at this place would go: before it, or behind it where it is over the lower half. */
export const gapAt = ({ clientY, currentTarget }: DragEvent, place: number): number => {
  const { top, height } = currentTarget.getBoundingClientRect()
  return clientY < top + height / 2 ? place : place + 1
}

/** The place that a gap is when what stood at `from` has been taken out. */
export const placeOf = (gap: number, from: number): number => (from >= 0 && from < gap ? gap - 1 : gap)
