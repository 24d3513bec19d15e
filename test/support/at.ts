/** The value, which the test knows is there; fails the test with these words when it is not. */
export function at<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the test expected a value here');
  return value;
}
