package io.tidemark.sink.sql;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.tidemark.sink.TableException;

/**
 * Where the tables of a SQL sink are, and how to get there. The password is asked for at each connection and kept
 * nowhere; nothing that this class says names it.
 */
public final class SqlTarget
{
    /** File of the embedded database, under the data directory. */
    public static final String SQLITE_FILE = "tables.sqlite";

    private static final String POSTGRES_PREFIX = "jdbc:postgresql:";
    private static final Pattern CURRENT_SCHEMA = Pattern.compile("([?&])currentSchema=([^&]*)");

    private final Dialect dialect;
    private final String url;
    private final String user;
    private final String passwordVariable;
    private final Path file;
    private final String schema;

    private SqlTarget(
        final Dialect dialect,
        final String url,
        final String user,
        final String passwordVariable,
        final Path file,
        final String schema)
    {
        this.schema = schema;
        this.dialect = dialect;
        this.url = url;
        this.user = user;
        this.passwordVariable = passwordVariable;
        this.file = file;
    }

    /**
     * The embedded database.
     *
     * @param dataDirectory of the pipeline.
     * @return its file in there.
     */
    public static SqlTarget sqlite(final Path dataDirectory)
    {
        final Path file = dataDirectory.resolve(SQLITE_FILE);
        return new SqlTarget(Dialect.SQLITE, "jdbc:sqlite:" + file, null, null, file, null);
    }

    /**
     * A server.
     *
     * @param url              {@code jdbc:postgresql://host:port/database}, with further settings of the driver but no
     *                         password.
     * @param user             may be null.
     * @param passwordVariable name of the environment variable that holds the password; may be null.
     * @return the server.
     * @throws IllegalArgumentException when the URL is of another kind, or holds a password.
     */
    public static SqlTarget postgres(final String url, final String user, final String passwordVariable)
    {
        if (!url.startsWith(POSTGRES_PREFIX))
        {
            throw new IllegalArgumentException("must start with " + POSTGRES_PREFIX + "//, like " + POSTGRES_PREFIX +
                "//localhost:5432/tidemark");
        }
        if (holdsSecret(url))
        {
            throw new IllegalArgumentException("must not hold a password; name the environment variable that holds " +
                "it in 'password_env'");
        }
        return new SqlTarget(Dialect.POSTGRES, url, user, passwordVariable, null, schemaOf(url));
    }

    /**
     * Tables of their own in the same database, for another version of the rule.
     *
     * @param name of the schema: letters, digits and underscores; it is created where it does not exist. Where the URL
     *             names a schema, that and an underscore come before it.
     * @return for a server the same one with that schema; a file is no other.
     */
    public SqlTarget inSchema(final String name)
    {
        if (dialect != Dialect.POSTGRES)
        {
            return this;
        }
        final Matcher named = CURRENT_SCHEMA.matcher(url);
        final String other = schema == null ? name : schema + "_" + name;
        final String otherUrl = named.find() ? named.replaceFirst("$1currentSchema=" + other) :
            url + (url.indexOf('?') < 0 ? "?" : "&") + "currentSchema=" + other;
        return new SqlTarget(dialect, otherUrl, user, passwordVariable, null, other);
    }

    private static String schemaOf(final String url)
    {
        final Matcher named = CURRENT_SCHEMA.matcher(url);
        return named.find() && named.group(2).matches("[A-Za-z0-9_]+") ? named.group(2).toLowerCase(Locale.ROOT) : null;
    }

    /**
     * Deletes the tables, if they are there and belong to the pipeline, with all that they hold. Of a file nothing: it
     * goes with its directory.
     *
     * @param pipeline whose they must be.
     * @throws TableException when the database cannot be reached, or they are another pipeline's.
     */
    public void drop(final String pipeline)
    {
        if (dialect != Dialect.POSTGRES)
        {
            return;
        }
        try (Connection connection = connect())
        {
            new SqlSchema(dialect).drop(connection, pipeline);
        }
        catch (final SQLException e)
        {
            throw new TableException(
                "the tables in " + describe() + " cannot be deleted: " + e.getMessage().strip());
        }
    }

    /**
     * Whether a URL carries what should be a secret.
     *
     * @param url of a database.
     * @return true for a parameter with a password, and for one before the host.
     */
    static boolean holdsSecret(final String url)
    {
        final String lower = url.toLowerCase(Locale.ROOT);
        final int query = lower.indexOf('?');
        final String address = query < 0 ? lower : lower.substring(0, query);
        return lower.contains("password") || lower.contains("passwd") || address.contains("@");
    }

    Dialect dialect()
    {
        return dialect;
    }

    /**
     * Whether there is anything to read: a file that the first run makes; a server is always asked.
     *
     * @return false before the first run.
     */
    public boolean exists()
    {
        return file == null || Files.exists(file);
    }

    /**
     * The database without settings.
     *
     * @return to be shown.
     */
    public String describe()
    {
        if (file != null)
        {
            return file.toString();
        }
        final int query = url.indexOf('?');
        return (query < 0 ? url : url.substring(0, query)).substring("jdbc:".length());
    }

    Connection connect() throws SQLException
    {
        final Properties properties = new Properties();
        if (dialect == Dialect.POSTGRES)
        {
            if (user != null)
            {
                properties.setProperty("user", user);
            }
            if (passwordVariable != null)
            {
                properties.setProperty("password", password());
            }
            properties.setProperty("reWriteBatchedInserts", "true");
            properties.setProperty("connectTimeout", "5");
            properties.setProperty("socketTimeout", "60");
            properties.setProperty("tcpKeepAlive", "true");
            properties.setProperty("ApplicationName", "tidemark");
        }
        final Connection connection = DriverManager.getConnection(url, properties);
        boolean isPrepared = false;
        try
        {
            dialect.prepare(connection);
            createSchema(connection);
            isPrepared = true;
        }
        finally
        {
            if (!isPrepared)
            {
                connection.close();
            }
        }
        return connection;
    }

    /** Who may not create schemas can still be given one. */
    private void createSchema(final Connection connection) throws SQLException
    {
        if (schema == null)
        {
            return;
        }
        final boolean isThere;
        try (PreparedStatement select = connection.prepareStatement("SELECT 1 FROM pg_namespace WHERE nspname = ?"))
        {
            select.setString(1, schema);
            try (ResultSet row = select.executeQuery())
            {
                isThere = row.next();
            }
        }
        if (!isThere)
        {
            try (Statement statement = connection.createStatement())
            {
                statement.execute("CREATE SCHEMA IF NOT EXISTS " + schema);
            }
        }
        connection.commit();
    }

    private String password()
    {
        final String password = System.getenv(passwordVariable);
        if (password == null)
        {
            throw new TableException("the environment variable " + passwordVariable + ", which 'sink.password_env' " +
                "names, is not set; set it to the password of " + describe());
        }
        return password;
    }
}
