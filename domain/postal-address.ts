/** A postal address, with the field names of the API; a part that was not given is null. */
export type PostalAddress = Record<'line1' | 'line2' | 'city' | 'state' | 'postal_code' | 'country', string | null>
