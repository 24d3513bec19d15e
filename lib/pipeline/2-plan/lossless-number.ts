const NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/** The number that JSON number text stands for; undefined when `text` is none, or has digits that a number cannot keep. */
export function lossless(text: string): number | undefined {
  const wanted = decimal(text);
  const value = Number(text);
  if (wanted === undefined || !Number.isFinite(value)) return undefined;
  return decimal(String(value).replace('e+', 'e')) === wanted ? value + 0 : undefined;
}

/** Sign, digits without outer zeros, and the power of ten of the last one: one spelling for each value. */
function decimal(text: string): string | undefined {
  const parts = NUMBER.exec(text);
  if (parts === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
