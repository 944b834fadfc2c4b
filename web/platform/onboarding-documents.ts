import type { Upload } from '../../schemas/catalogue/upload.ts'
import type { Static } from 'typebox'
import type { Answer, Refused } from '../api.ts'
import type { PostedFile } from '../arriving-file.ts'
import { goDone } from '../token-site.ts'
import { refusedUpload, uploadsFullWords } from '../uploads-full.ts'
import { placeOf, stepIn } from './onboarding-form-page.ts'
import { nextStep, stepsOf } from './onboarding-step.ts'
import {
  home,
  type OnboardingSite,
  problemOf,
  readSeller,
  representativeOf,
  type Seller,
  type Visit,
} from './onboarding-visit.ts'
import { sellerName } from './requirement-words.ts'

/** `/onboarding/documents`: a form for each document, so that each is saved as soon as it has arrived. */
export function addDocumentPages(site: OnboardingSite): void {
  site.read('/documents', async (visit) => {
    const seller = await readSeller(site, visit)
    if (seller) showDocuments(site, visit, seller)
  })
  site.submitFile('/documents/:id', async (visit, { file }, id) => {
    const seller = await readSeller(site, visit)
    if (!seller) return
    const code = stepIn(seller, 'documents').asked.find((each) => inputOf(each) === id)
    if (!code) return showDocuments(site, visit, seller)
    const saved = file ? await saveFile(visit, seller, code, file) : { ok: false as const, refused: nothingChosen }
    if (saved.ok) return goDone(visit.ctx, `${home}/documents`, 'uploaded')
    const now = await readSeller(site, visit)
    if (now) showDocuments(site, visit, now, { code, refused: saved.refused })
  })
}

const nothingChosen: Refused = {
  status: 422,
  code: 'VALIDATION_ERROR',
  errors: [{ field: 'file', message: 'is required', type: 'value_error.missing' }],
  waitSeconds: null,
}

/** The name of the input of a document, also in addresses. */
const inputOf = (code: string): string => code.replaceAll(/[._]/g, '-')

/** Uploads a file, and makes it the document that a code asks for. */
async function saveFile(visit: Visit, seller: Seller, code: string, file: PostedFile): Promise<Answer<unknown>> {
  const uploaded = await visit.upload<Static<typeof Upload>>('/v1/utilities/uploads', file)
  if (!uploaded.ok) return { ok: false, refused: refusedUpload(uploaded.refused) }
  const path = `accounts/${seller.account.account_id}`
  const { upload_id: upload } = uploaded.body
  if (code !== 'representative.id_document') {
    return visit.call('POST', `${path}/documents`, { file: upload, document: code })
  }
  const person = representativeOf(seller)
  if (!person) return { ok: false, refused: { ...nothingChosen, errors: [], code: 'CONFLICT' } }
  return visit.call('PATCH', `${path}/persons/${person.person_id}`, { id_document: upload })
}

type Tried = { code: string; refused: Refused }

function showDocuments(site: OnboardingSite, visit: Visit, seller: Seller, tried: Tried | null = null): void {
  const steps = stepsOf(seller.account)
  const step = stepIn(seller, 'documents')
  const words = tried && fileWords(tried.refused)
  const own = tried && words ? { [inputOf(tried.code)]: words } : {}
  const asksAgain = Object.fromEntries(step.errors.map(({ code, reason }) => [inputOf(code), reason]))
  const errors = tried ? own : asksAgain
  const isMarked = Object.keys(errors).length > 0
  site.show(visit, {
    template: 'documents',
    title: 'Your documents',
    at: 'documents',
    status: tried?.refused.status ?? 200,
    data: {
      ...placeOf(steps, 'documents'),
      documents: step.asked.map((code) => shownDocument(seller, code, step)),
      errors,
      problem: isMarked ? 'Please correct the following.' : tried ? problemOf(tried.refused) : null,
      isDone: step.due.length === 0,
      next: `${home}/${nextStep(steps, 'documents') ?? ''}`.replace(/\/$/, ''),
    },
  })
}

/** What is to be seen on a document, where its name does not say so. */
const hints: Record<string, string> = {
  'representative.id_document': 'Passport, national identity card or driving licence: the side with your photo.',
  'company.proof_of_address': 'A bill or bank statement of the last three months that shows the address.',
  'company.business_name_certificate': 'Of the register of business names.',
}

function shownDocument(seller: Seller, code: string, { due, later }: { due: string[]; later: string[] }) {
  const person = representativeOf(seller)
  const isOfPerson = code === 'representative.id_document'
  const file = isOfPerson
    ? (person?.id_document?.file_name ?? null)
    : (seller.me.documents.find(({ document_type: slot }) => slot === code)?.file_name ?? null)
  return {
    name: inputOf(code),
    title: sellerName(code),
    hint: hints[code] ?? null,
    file,
    isDue: due.includes(code),
    isLater: later.includes(code),
    // The document belongs to a person, who has to be there first.
    isWaiting: isOfPerson && person === null,
  }
}

function fileWords(refused: Refused): string | undefined {
  const { errors } = refused
  if (errors.length === 0) return uploadsFullWords(refused)
  const type = errors.find(({ field }) => field === 'file')?.type
  if (type === 'value_error.missing') return 'Take a photo or choose a file first.'
  if (type === 'value_error.range') return 'This file is empty or larger than 10 MB. Choose a smaller one.'
  return 'Send a photo (JPEG, PNG or WebP) or a PDF.'
}
