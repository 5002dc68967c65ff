package io.tidemark.sink.export;

import java.io.Closeable;
import java.io.IOException;
import java.math.BigInteger;

/**
 * Writes records of named fields, all of one shape. Fields come in the order of the columns; not one may be left out.
 */
public interface RecordWriter extends Closeable
{
    /**
     * @throws IOException when the output is gone.
     */
    void begin() throws IOException;

    /**
     * @param name  of the column.
     * @param value null where there is none.
     * @throws IOException when the output is gone.
     */
    void text(String name, String value) throws IOException;

    /**
     * @param name  of the column.
     * @param value any number.
     * @throws IOException when the output is gone.
     */
    void number(String name, long value) throws IOException;

    /**
     * @param name  of the column.
     * @param value any whole number, however large.
     * @throws IOException when the output is gone.
     */
    void number(String name, BigInteger value) throws IOException;

    /**
     * @param name  of the column.
     * @param value true or false.
     * @throws IOException when the output is gone.
     */
    void flag(String name, boolean value) throws IOException;

    /**
     * A number that may be missing.
     *
     * @param name of the column.
     * @throws IOException when the output is gone.
     */
    void missing(String name) throws IOException;

    /**
     * A record within the record.
     *
     * @param name of the column.
     * @return writes its fields; its begin and end bracket them.
     * @throws IOException when the output is gone.
     */
    RecordWriter nested(String name) throws IOException;

    /**
     * @throws IOException when the output is gone.
     */
    void end() throws IOException;
}
