/** Refreshes file lists wherever they are shown (spec 4). */
export const uploadedEvent = 'stix:uploaded';
