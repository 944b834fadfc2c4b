import { errorHelp } from '../../domain/error-help.ts'
import { errorCodes } from '../../domain/refusal.ts'
import { eventMeanings, type EventType, eventTypes } from '../../domain/webhook/event.ts'
import type { Entry } from './search.ts'

type Span = { text: string; isCode: boolean }

/** The spans of a sentence: every second one is code, as the words between backticks are. */
export const spansOf = (sentence: string): Span[] =>
  sentence.split('`').map((text, index) => ({ text, isCode: index % 2 === 1 }))

/** Every error code with its status, what it means and what to do next. */
export const codes = (Object.keys(errorHelp) as (keyof typeof errorHelp)[]).map((code) => ({
  code,
  status: errorCodes[code],
  means: spansOf(errorHelp[code].means),
  next: spansOf(errorHelp[code].next),
}))

export const isEventType = (type: string): type is EventType => Object.hasOwn(eventMeanings, type)

/** Every event type with when it is sent, grouped by the first word of its name. */
export const eventGroups = [...Map.groupBy(eventTypes, (type) => type.split('.')[0] ?? type)].map(([words, types]) => ({
  words,
  events: types.map((type) => ({ type, meaning: spansOf(eventMeanings[type]) })),
}))

/** What the search finds of both: each code leads to its place on the page of errors, each type to its own page. */
export const catalogueEntries: Entry[] = [
  ...Object.entries(errorHelp).map(([code, { means, next }]) => ({
    address: `/docs/errors#${code}`,
    title: 'Errors',
    heading: code,
    text: `${means} ${next}`,
    isPage: false,
  })),
  ...eventTypes.map((type) => ({
    address: `/docs/events/${type}`,
    title: type,
    heading: '',
    text: `Sent when ${eventMeanings[type]}.`,
    isPage: true,
  })),
]
